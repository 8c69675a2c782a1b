import { createServer, type IncomingMessage } from 'node:http';
import { openDriver } from '../database.js';
import { type ReplyData, type RequestData, readRequest, send } from './http.js';
import { Reads } from './reads.js';
import { TermCounts } from './term-counts.js';
import { type Sent, Writes } from './writes.js';

/**
 * The raw ceiling: a server that produces the same responses with node:http and the bare driver. It accepts well-formed
 * requests only and checks nothing; see docs/performance.md.
 */
const driver = openDriver(process.env.DATABASE_URL ?? '');
const [site] = await driver.rows<{ instance: string }>('SELECT instance FROM site');
const counts = await TermCounts.read(driver);
const reads = new Reads(driver, counts);
const writes = new Writes(driver, reads, counts);

function read(asked: RequestData): Promise<ReplyData> {
  const [, collection, first, second] = asked.path.split('/');
  if (collection === 'venues') return reads.venues(asked);
  if (collection === 'categories' || collection === 'tags') return reads.categories(asked);
  if (first === undefined) return reads.events(asked);
  if (second === undefined) return reads.event(asked, 'id', first);
  return reads.event(asked, 'slug', decodeURIComponent(second));
}

async function write(request: IncomingMessage, asked: RequestData): Promise<ReplyData> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  const sent = JSON.parse(text) as Sent;
  const userId = await writes.caller(request.headers.authorization);
  const [, , id] = asked.path.split('/');
  return id === undefined ? writes.create(asked, sent, userId) : writes.update(asked, Number(id), sent, userId);
}

const server = createServer((request, response) => {
  const asked = readRequest(request, site?.instance ?? '');
  const responding = request.method === 'GET' ? read(asked) : write(request, asked);
  responding.then(
    (found) => send(request, response, asked, found),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
// Responses contain this timeout in the header Keep-Alive, which must equal that of Kalends.
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env.PORT), process.env.HOST);
