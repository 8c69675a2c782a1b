import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A response: its body as received, and as decompressed text. */
export interface Received {
  readonly status: number | undefined;
  readonly headers: Record<string, string | undefined>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Requests a path of the server. Adds no header except Host. */
export function receive(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<Received>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path, method, headers: { host: 'localhost', ...headers }, agent: false },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        reply.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const isPacked = reply.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
          resolve({ status: reply.statusCode, headers: reply.headers as Received['headers'], bytes, text });
        });
      },
    )
      .on('error', reject)
      .end();
  });
}
