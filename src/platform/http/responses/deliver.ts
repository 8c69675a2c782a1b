import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import type { Content } from './content.js';
import { GZIP_OPTIONS } from './gzip.js';
import { onClosed } from '../on-closed.js';
import { endResponse } from '../bodies/drain-body.js';
import type { KalendsRequest } from '../request.js';

/** Sends a body: one chunk directly, more as a stream with backpressure. `gzips`: compresses the stream. */
export function deliver(response: Response, { chunks, length }: Content, compress = false): void {
  const request = response.req as KalendsRequest;
  const { method, responsesInFlight } = request;
  const [only] = chunks;
  if (method === 'HEAD' || only === undefined) response.end();
  else if (chunks.length === 1) {
    endResponse(request, response, only);
    // A rest in the socket's buffer means that the client reads slowly.
    if (response.socket?.writableLength !== 0) startTimeout(response, responsesInFlight.chunkTimeoutMs);
  } else {
    const refresh = startTimeout(response, responsesInFlight.chunkTimeoutMs);
    const source = Readable.from(takeChunks(response, [...chunks], length, refresh), { highWaterMark: 1 });
    // `pipeline` adds seven listeners by itself, and Node warns above ten.
    response.setMaxListeners(20);
    // Errors mean that the client has disconnected, so there is nothing to report.
    if (compress) pipeline(source, createGzip(GZIP_OPTIONS), response, () => undefined);
    else pipeline(source, response, () => undefined);
  }
}

/** Yields chunks and removes each from `left`, so that sent chunks can be freed. */
function* takeChunks(response: Response, left: Buffer[], length: number, onProgress: () => void) {
  const { reservation } = response.req as KalendsRequest;
  let rest = length;
  for (let chunk = left.shift(); chunk !== undefined; chunk = left.shift()) {
    yield chunk;
    rest -= chunk.length;
    reservation?.resize(rest);
    onProgress();
  }
}

/** Closes the connection after this time. Returns a function that restarts the timeout: call it on progress. */
function startTimeout(response: Response, milliseconds: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = () => (timer = setTimeout(() => response.destroy(), milliseconds));
  // A pipelined response has no socket until the responses before it are sent.
  if (response.socket === null) response.once('socket', begin);
  else begin();
  onClosed(response, () => clearTimeout(timer));
  return () => timer?.refresh();
}
