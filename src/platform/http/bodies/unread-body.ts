import type { IncomingMessage } from 'node:http';
import { ApiError, apiError } from '../../../errors/api-error.js';
import type { BodyReservation } from './body-reservation.js';
import { contentLength } from './received-body.js';

/** Limits of a body that a module reads. */
interface Limits {
  readonly maxBytes: number;
  /** Reserves the bytes that have arrived, because most handlers keep them in memory. */
  readonly reservation: BodyReservation;
}

/**
 * Limits a body that a handler of an ordinary route reads itself, such as an upload. Throws 413 if Content-Length is larger
 * than `maxBytes`, and 503 if the reservation fails. The handler gets nothing of a chunked body after a limit, and
 * `onExceeded` must close the connection, so that the handler never takes a part of the body for the whole.
 */
export function limitUnreadBody(
  request: IncomingMessage,
  { maxBytes, reservation }: Limits,
  onExceeded: (error: ApiError) => void,
): void {
  const expected = contentLength(request);
  if (expected > maxBytes) throw apiError('rest_body_too_large');
  reservation.reserve(expected);
  const push = request.push.bind(request);
  let size = 0;
  // The parser of Node calls `push` with each part. A listener of `data` would start to read the body.
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    size += chunk?.length ?? 0;
    try {
      if (size > maxBytes) throw apiError('rest_body_too_large');
      if (expected === 0) reservation.reserve(chunk?.length ?? 0);
    } catch (error) {
      request.push = () => false;
      onExceeded(error as ApiError);
      return false;
    }
    return push(chunk, encoding);
  };
}
