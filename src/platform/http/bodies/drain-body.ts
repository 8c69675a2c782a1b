import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcedLength } from './received-body.js';
import type { KalendsRequest } from '../request.js';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MILLISECONDS = 30_000;

/** Who has its answer and sends nothing for so many milliseconds is not sending any more. */
const MOST_SILENCE = 2_000;

/** So many bytes that are still to come are read rather than the connection given up. */
const FEW_BYTES = 64 * 1024;

/** Reads and forgets what is left of a body; what goes on for too long is left alone. */
export function drainBody(request: IncomingMessage, mostSilence = MOST_MILLISECONDS): Promise<void> {
  if (!announcesBody(request) || request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    const stop = () => {
      clearTimeout(timer);
      clearTimeout(silence);
      request.off('data', count).off('end', stop).off('close', stop);
      resolve();
    };
    const count = (chunk: Buffer) => {
      size += chunk.length;
      silence.refresh();
      if (size > MOST_BYTES) stop();
    };
    const timer = setTimeout(stop, MOST_MILLISECONDS);
    const silence = setTimeout(stop, mostSilence);
    request.on('data', count).on('end', stop).on('close', stop).on('error', stop);
  });
}

/** Whether a body follows the headers; of an empty one only a chunked request cannot tell. */
export function announcesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || announcedLength(request) > 0;
}

/** Whether the body that follows the headers has no bytes; `ask` is called where it must begin to come for that. */
export function comesEmpty(request: IncomingMessage, ask: () => void): Promise<boolean> {
  if (announcedLength(request) > 0) return Promise.resolve(false);
  ask();
  return new Promise((resolve) => {
    const stop = (isEmpty: boolean) => {
      request.off('data', onData).off('end', onEnd).off('close', onEnd);
      resolve(isEmpty);
    };
    const onData = () => stop(false);
    const onEnd = () => stop(true);
    request.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
  });
}

/** Whether more of a body is to come than is worth waiting for, so that its connection ends with the answer. */
export function outlastsAnswer(request: IncomingMessage): boolean {
  const announced = announcedLength(request);
  return !request.complete && (announced === 0 || announced > FEW_BYTES);
}

/**
 * Ends an answer whose headers are set. It goes out at once; a client that is still sending its body is heard to the end
 * before the connection closes: otherwise it would be reset, and never see its answer.
 */
export function endAnswer(request: KalendsRequest, response: ServerResponse, bytes: Buffer): void {
  const isSending = outlastsAnswer(request) && request.awaitsContinue !== true;
  if (response.getHeader('Connection') !== 'close' || !isSending) {
    response.end(bytes);
    return;
  }
  response.write(bytes);
  void drainBody(request, MOST_SILENCE).then(() => response.end());
}
