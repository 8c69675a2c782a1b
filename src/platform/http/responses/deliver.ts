import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import type { Content } from './content.js';
import { GZIP } from './gzip.js';
import { onClosed } from '../on-closed.js';
import { endAnswer } from '../bodies/drain-body.js';
import type { KalendsRequest } from '../request.js';

/** Writes a body that has one piece at once, a longer one as the client takes it. `gzips`: on its way. */
export function deliver(response: Response, { pieces, length }: Content, gzips = false): void {
  const request = response.req as KalendsRequest;
  const { method, responsesInFlight } = request;
  const [only] = pieces;
  if (method === 'HEAD' || only === undefined) response.end();
  else if (pieces.length === 1) {
    endAnswer(request, response, only);
    // What the system has not taken waits for the client.
    if (response.socket?.writableLength !== 0) watch(response, responsesInFlight.patience);
  } else {
    const refresh = watch(response, responsesInFlight.patience);
    const source = Readable.from(inTurn(response, [...pieces], length, refresh), { highWaterMark: 1 });
    // `pipeline` alone listens seven times for the end of a response.
    response.setMaxListeners(20);
    // A client that goes away ends all of it, and nobody is left to be told.
    if (gzips) pipeline(source, createGzip(GZIP), response, () => undefined);
    else pipeline(source, response, () => undefined);
  }
}

/** Takes a piece out of `left` when the one before was taken by the client: nobody holds that one any more. */
function* inTurn(response: Response, left: Buffer[], length: number, taken: () => void) {
  const { share } = response.req as KalendsRequest;
  let rest = length;
  for (let piece = left.shift(); piece !== undefined; piece = left.shift()) {
    yield piece;
    rest -= piece.length;
    share?.resize(rest);
    taken();
  }
}

/** Ends the connection of a client that takes too long; whoever sees that it took something refreshes its time. */
function watch(response: Response, milliseconds: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = () => (timer = setTimeout(() => response.destroy(), milliseconds));
  // Behind other answers on its connection it has no socket yet.
  if (response.socket === null) response.once('socket', begin);
  else begin();
  onClosed(response, () => clearTimeout(timer));
  return () => timer?.refresh();
}
