import { request } from 'node:http';
import type { Contender } from './processes.js';

/** A response of Kalends that the ceiling of kept responses sends, too. */
export interface KeptReply {
  readonly path: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of the response to an If-None-Match with the ETag. */
  readonly unchanged: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

/** Headers that node:http adds, or that differ for each request. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** Reads the responses of paths, whole and unchanged. */
export async function keptReplies(contender: Contender, paths: readonly string[]): Promise<KeptReply[]> {
  const all: KeptReply[] = [];
  for (const path of paths) {
    const { headers, body } = await get(contender, path, {}, 200);
    const etag = Object.entries(headers).find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
    const unchanged = await get(contender, path, { 'if-none-match': etag }, 304);
    all.push({ path, etag, headers, unchanged: unchanged.headers, body: body.toString('base64') });
  }
  return all;
}

function get(
  { name, port }: Contender,
  path: string,
  headers: Readonly<Record<string, string>>,
  status: number,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const options = { port, host: '127.0.0.1', path, headers: { host: 'localhost:3000', ...headers } };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        if (response.statusCode !== status) reject(new Error(`${name} answers ${response.statusCode} to ${path}`));
        resolve({ headers: sent(response.rawHeaders), body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Returns headers with the spelling of their names. */
function sent(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
  return Object.fromEntries(pairs.filter(([name]) => !OWN.has(name.toLowerCase())));
}
