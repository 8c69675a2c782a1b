import type { IncomingMessage } from 'node:http';
import { apiError } from '../../../errors/api-error.js';
import { contentLength } from './received-body.js';

/**
 * Limits a body that a handler of an ordinary route reads itself, such as an upload, to `maxBytes`. Throws 413 if
 * Content-Length is larger. The handler gets nothing of a chunked body after the limit, and `onExceeded` must close the
 * connection, so that the handler never takes a part of it for the whole.
 */
export function limitUnreadBody(request: IncomingMessage, maxBytes: number, onExceeded: () => void): void {
  if (contentLength(request) > maxBytes) throw apiError('rest_body_too_large');
  const push = request.push.bind(request);
  let size = 0;
  // The parser of Node calls `push` with each part. A listener of `data` would start to read the body.
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    size += chunk?.length ?? 0;
    if (size <= maxBytes) return push(chunk, encoding);
    request.push = () => false;
    onExceeded();
    return false;
  };
}
