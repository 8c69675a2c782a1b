import type { IncomingMessage } from 'node:http';
import { apiError } from '../../../errors/api-error.js';
import type { BodyReservation } from './body-reservation.js';
import { invalidJson } from './json-body.js';

/** Size of the first buffer for a body without Content-Length, in bytes. It doubles when it is full. */
const FIRST_BUFFER_BYTES = 16 * 1024;

/**
 * Receives a body of at most `maxBytes`. Throws 413 before reading if Content-Length is larger, else when more bytes
 * have arrived, and 503 if the reservation fails.
 */
export function receiveBody(request: IncomingMessage, maxBytes: number, reservation: BodyReservation): Promise<Buffer> {
  const expectedBytes = contentLength(request);
  if (expectedBytes > maxBytes) throw apiError('rest_body_too_large');
  reservation.reserve(expectedBytes);
  const body = new BodyBuffer(expectedBytes, maxBytes, reservation);
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      request.off('data', take).off('end', finish).off('close', abort);
      settle();
    };
    const take = (chunk: Buffer) => {
      try {
        body.add(chunk);
      } catch (error) {
        if (error instanceof Error) stop(() => reject(error));
      }
    };
    const finish = () => stop(() => resolve(body.bytes));
    // The body is incomplete, so it cannot be parsed.
    const abort = () => stop(() => reject(invalidJson(4)));
    request.on('data', take).on('end', finish).on('close', abort).on('error', abort);
  });
}

/** Returns the Content-Length in bytes, or 0 without the header. */
export function contentLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Collects chunks in one buffer, because a list of one-byte chunks would take hundreds of bytes for each. */
class BodyBuffer {
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(
    private readonly expectedBytes: number,
    private readonly maxBytes: number,
    private readonly reservation: BodyReservation,
  ) {}

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.maxBytes) throw apiError('rest_body_too_large');
    if (length > this.buffer.length) this.grow(length);
    chunk.copy(this.buffer, this.length);
    this.length = length;
  }

  private grow(length: number): void {
    const doubled = Math.max(length, 2 * this.buffer.length, FIRST_BUFFER_BYTES);
    const capacity = this.expectedBytes > 0 ? this.expectedBytes : Math.min(doubled, this.maxBytes);
    if (this.expectedBytes === 0) this.reservation.reserve(capacity - this.buffer.length);
    // Not `allocUnsafe`: a slice of Node's shared pool would keep the whole pool in memory.
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(larger);
    this.buffer = larger;
  }
}
