// Receives webhooks with what Node.js has itself.
//   WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '8000', WEBHOOK_SECRET = '' } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const MAX_BODY_BYTES = 1_000_000;
/** Older messages may be recordings that somebody sends again. */
const MAX_AGE_SECONDS = 300;
/** The last position of each record that was handled. A program that may restart keeps it in its database. */
const positions = new Map();

createServer(async (request, response) => {
  const body = await bodyOf(request);
  const status = body === undefined ? 413 : !isGenuine(request.headers, body) ? 401 : 204;
  if (status === 204) handle(JSON.parse(body.toString()));
  response.writeHead(status).end();
}).listen(Number(PORT), '127.0.0.1');

/** Whether one of the signatures is ours, and the message is not old. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (id === undefined || signatures === undefined) return false;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= MAX_AGE_SECONDS)) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Messages come at least once, in any order: only the newest change of a record counts. */
function handle({ type, data }) {
  if (type === 'webhook.test') return console.log(type);
  const record = `${data.type} ${data.id}`;
  if (data.position <= (positions.get(record) ?? 0)) return;
  positions.set(record, data.position);
  console.log(type, data.id);
}

/** Returns the bytes of a body, which the signature covers, or undefined if they are too many. */
async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}
