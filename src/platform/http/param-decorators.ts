import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { integerOf } from '../../kernel/number-input.js';
import { lookupSlug } from '../../kernel/text/slug.js';
import type { KalendsRequest } from './request.js';

const request = (context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>();

/** The id of the path; the route stage lets digits through only. No record has an id beyond what numbers hold. */
export const IdParam = createParamDecorator(
  (_: unknown, context: ExecutionContext) => integerOf(String(request(context).params.id)) ?? Number.MAX_SAFE_INTEGER,
);

/** The slug of the path, as slugs are looked up (contract section 3). */
export const SlugParam = createParamDecorator((_: unknown, context: ExecutionContext) =>
  lookupSlug(String(request(context).params.slug)),
);

/** Hands a handler what services need to know of the request (request-context.ts). */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().context,
);

/** Hands a handler the address by which the request came. */
export const RequestRoot = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().root,
);
