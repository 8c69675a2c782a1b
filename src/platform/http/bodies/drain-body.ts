import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentLength } from './received-body.js';
import type { KalendsRequest } from '../request.js';

/** Draining stops after this many bytes, because closing the connection is then cheaper. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
const MAX_DRAIN_MS = 30_000;

/** A client that has its response and sends nothing for this long has probably stopped sending. */
const MAX_SILENCE_MS = 2_000;

/** Up to this many unread bytes, draining the body is cheaper than a new connection. */
const MAX_REST_BYTES = 64 * 1024;

/** Reads and discards the rest of a body. Resolves at its end, or when it is too long or too slow. */
export function drainBody(request: IncomingMessage, maxSilenceMs = MAX_DRAIN_MS): Promise<void> {
  if (!hasBody(request) || request.readableEnded || request.destroyed) return Promise.resolve();
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
      if (size > MAX_DRAIN_BYTES) stop();
    };
    const timer = setTimeout(stop, MAX_DRAIN_MS);
    const silence = setTimeout(stop, maxSilenceMs);
    request.on('data', count).on('end', stop).on('close', stop).on('error', stop);
  });
}

/** Whether the headers announce a body. A chunked body can still be empty. */
export function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || contentLength(request) > 0;
}

/** Whether the announced body is empty. Calls `sendContinue` (100 Continue) if only its first bytes can tell. */
export function isBodyEmpty(request: IncomingMessage, sendContinue: () => void): Promise<boolean> {
  if (contentLength(request) > 0) return Promise.resolve(false);
  sendContinue();
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

/** Whether the unread rest of a body is so long that the connection closes after the response. */
export function hasLongRest(request: IncomingMessage): boolean {
  return !request.complete && (isChunked(request) || contentLength(request) > MAX_REST_BYTES);
}

/**
 * Closes the connection after a response whose handler has not read its body, which could go on without end. Leaves the
 * client time to read the response, because a reset of the connection could discard it.
 */
export function closeIfUnread(request: IncomingMessage): void {
  if (hasLongRest(request)) setTimeout(() => request.complete || request.destroy(), MAX_SILENCE_MS).unref();
}

function isChunked(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined;
}

/**
 * Sends the body of a response and ends it. If the client is still sending and the connection closes, reads the request
 * to its end first: a reset of the connection could discard the response before the client reads it.
 */
export function endResponse(request: KalendsRequest, response: ServerResponse, bytes: Buffer): void {
  const isSending = hasLongRest(request) && request.awaitsContinue !== true;
  if (response.getHeader('Connection') !== 'close' || !isSending) {
    response.end(bytes);
    return;
  }
  response.write(bytes);
  void drainBody(request, MAX_SILENCE_MS).then(() => response.end());
}
