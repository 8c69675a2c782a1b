import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { KalendsRequest } from './request.js';

/** Hands a handler what services need to know of the request (request-context.ts). */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().context,
);
