import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MILLISECONDS = 30_000;

/**
 * Reads and forgets what is left of a body, and answers how many bytes that was. A client that is still sending when
 * the connection closes is reset and never sees its answer; what goes on for too long is cut off all the same.
 */
export function readOff(request: IncomingMessage): Promise<number> {
  if (!announcesBody(request) || request.readableEnded || request.destroyed) return Promise.resolve(0);
  return new Promise((resolve) => {
    let size = 0;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', stop).off('close', stop);
      resolve(size);
    };
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) stop();
    };
    const timer = setTimeout(stop, MOST_MILLISECONDS);
    request.on('data', count).on('end', stop).on('close', stop).on('error', stop);
  });
}

/** Whether a body follows the headers; of an empty one only a chunked request cannot tell. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
