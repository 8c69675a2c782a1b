import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../errors/api-error.js';

/** A client that is still sending when the connection closes is reset, and may never see its answer. */
const LINGER_MILLISECONDS = 1000;

/** Sends an error past the HTTP server, which has given up this connection, and closes it. */
export function refuse(socket: Duplex, error: ApiError, headers: OutgoingHttpHeaders): void {
  // The client may reset the connection at any moment.
  socket.on('error', () => undefined);
  socket.removeAllListeners('data');
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(answer(error, headers));
  socket.on('data', () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

function answer(error: ApiError, headers: OutgoingHttpHeaders): string {
  const body = JSON.stringify(error.toBody());
  const all: OutgoingHttpHeaders = {
    ...headers,
    'content-type': 'application/json; charset=UTF-8',
    'cache-control': 'private, no-store',
    ...error.extras.headers,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}
