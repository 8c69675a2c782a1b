import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { isReply, type Reply, replyOf } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { isReadRequest, selectFields } from './render.js';

/**
 * Shows the interceptors that modules have for all routes the body of a `Reply`, as JSON gives it. What they return is sent
 * with the status, the headers and the ETag of the reply. Must be the last of these interceptors.
 */
export class ShownReplyInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = execution.switchToHttp().getRequest<KalendsRequest>();
    return next.handle().pipe(map((value) => (isReply(value) ? show(value, request) : value)));
  }
}

function show(reply: Reply, request: KalendsRequest): object {
  const selected = isReadRequest(request) ? selectFields(reply, request) : reply.body;
  // A copy, because interceptors may change it, and a cache may have the original. It has no classes, as a stored reply
  // has none, so that a replay is serialized like the first response.
  const body = isFixed(reply) ? {} : (JSON.parse(JSON.stringify(selected)) as object);
  request.context = { ...request.context, fields: [] };
  // Without `list`, whose items are removed while they are sent.
  request.shownReply = replyOf({ ...reply, body, list: undefined });
  return body;
}

/** Pages and redirects cannot be changed. */
function isFixed({ html, redirect }: Reply): boolean {
  return html !== undefined || redirect !== undefined;
}

/** Returns what is sent for a shown reply if the interceptors return `result`. Only objects have the rest of the reply. */
export function shownAs(reply: Reply, result: unknown): unknown {
  if (isFixed(reply)) return reply;
  return typeof result === 'object' && result !== null ? replyOf({ ...reply, body: result }) : result;
}
