import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { KalendsRequest } from './request.js';

/** Hands a handler the address by which the request came. */
export const RequestRoot = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().root,
);
