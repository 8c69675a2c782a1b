import type { IncomingMessage } from 'node:http';
import { apiError } from '../../../errors/api-error.js';
import type { BodyReservation } from './body-reservation.js';
import { invalidJson } from './json-body.js';

/** The first buffer for a body that does not tell its length, in bytes; then it doubles. */
const LEAST_CAPACITY = 16 * 1024;

/**
 * Receives a body of `most` bytes at most; throws 413 before it is read where its length says more, else as soon as more
 * have come, and 503 where there is no room.
 */
export function receiveBody(request: IncomingMessage, most: number, room: BodyReservation): Promise<Buffer> {
  const announced = announcedLength(request);
  if (announced > most) throw apiError('rest_body_too_large');
  room.take(announced);
  const body = new Gathered(announced, most, room);
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void) => {
      request.off('data', take).off('end', finish).off('close', breakOff);
      settle();
    };
    const take = (piece: Buffer) => {
      try {
        body.add(piece);
      } catch (error) {
        if (error instanceof Error) stop(() => reject(error));
      }
    };
    const finish = () => stop(() => resolve(body.bytes));
    // What never came is nothing that could be parsed.
    const breakOff = () => stop(() => reject(invalidJson(4)));
    request.on('data', take).on('end', finish).on('close', breakOff).on('error', breakOff);
  });
}

/** The length of a body as its request tells it, in bytes; 0: not told. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Pieces in one buffer: a piece of one byte that is kept as it came takes hundreds of them. */
class Gathered {
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(
    private readonly announced: number,
    private readonly most: number,
    private readonly room: BodyReservation,
  ) {}

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > this.most) throw apiError('rest_body_too_large');
    if (length > this.buffer.length) this.grow(length);
    piece.copy(this.buffer, this.length);
    this.length = length;
  }

  private grow(length: number): void {
    const doubled = Math.max(length, 2 * this.buffer.length, LEAST_CAPACITY);
    const capacity = this.announced > 0 ? this.announced : Math.min(doubled, this.most);
    if (this.announced === 0) this.room.take(capacity - this.buffer.length);
    // Not of a pool, which would be held with it.
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(larger);
    this.buffer = larger;
  }
}
