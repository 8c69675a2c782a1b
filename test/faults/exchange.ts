import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ADMIN_TOKEN } from './instance.js';
import type { Ledger } from './ledger.js';

const MOUNT = '/calendar/events/v1';
/** Client timeout in milliseconds, longer than any response may take. */
const PATIENCE = 30_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- of every shape
}

/** Where requests go: to an instance, or to a gateway with a path before the mount. */
export interface Target {
  readonly port: number;
  readonly prefix?: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Keeps connections alive, as real clients do. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Sends one request of the administrator. Without a response it fails with the error code of the connection. */
export function exchange(
  { port, prefix = '' }: Target,
  { method = 'GET', path, body, headers }: Sent,
): Promise<Answer> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const sent = {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: `${prefix}${MOUNT}${path}`, headers: sent, agent };
    const outgoing = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed(text) });
      });
    });
    outgoing.setTimeout(PATIENCE, () => outgoing.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })));
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/** The status of a response, or the error code of the connection. */
type Outcome = string | number;

/** Sends one request of the administrator and records its outcome in the ledger, even without a response. */
export async function tryOnce(
  ledger: Ledger,
  target: Target,
  sent: Sent,
): Promise<{ outcome: Outcome; answer: Answer | undefined; took: number }> {
  const start = performance.now();
  const result = await exchange(target, sent).catch((error: { code?: string }) => error);
  const took = performance.now() - start;
  const answer = 'status' in result ? result : undefined;
  const outcome = answer?.status ?? (result as { code?: string }).code ?? 'error';
  ledger.note(outcome, took);
  if ((outcome === 429 || outcome === 503) && answer?.headers['retry-after'] === undefined)
    ledger.withoutRetryAfter += 1;
  return { outcome, answer, took };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
