import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  UseGuards,
} from '@nestjs/common';
import { mustHave } from '../../errors/api-error.js';
import type { Caller as CallerOfRequest } from '../../kernel/caller.js';
import type { Capability } from '../../kernel/capability.js';
import { integerOf } from '../../kernel/number-input.js';
import { lookupSlug } from '../../kernel/text/slug.js';
import { ApiSecurity } from './api-decorators.js';
import type { Response } from 'express';
import { onClosed } from './on-closed.js';
import type { KalendsRequest } from './request.js';

const request = (context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>();

/** Injects the id of the path, which is all digits. Too large numbers become MAX_SAFE_INTEGER, which no record has. */
export const IdParam = createParamDecorator(
  (_: unknown, context: ExecutionContext) => integerOf(String(request(context).params.id)) ?? Number.MAX_SAFE_INTEGER,
);

/** Injects the slug of the path, normalised for lookup (contract section 3). */
export const SlugParam = createParamDecorator((_: unknown, context: ExecutionContext) =>
  lookupSlug(String(request(context).params.slug)),
);

/** Injects the id of a message in the path. */
export const MessageParam = createParamDecorator((_: unknown, context: ExecutionContext) =>
  String(request(context).params.message),
);

/** Injects the caller: anonymous, or a user with capabilities. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => request(context).context.caller);
export type Caller = CallerOfRequest;

/**
 * Lets only callers with a capability through, such as `edit_posts`. Others get 401 `rest_forbidden` without credentials,
 * else 403. For handlers and controllers.
 */
export function Requires(capability: Capability): ClassDecorator & MethodDecorator {
  const guard: CanActivate = {
    canActivate: (context) => {
      mustHave(request(context).context.caller, capability);
      return true;
    },
  };
  return applyDecorators(UseGuards(guard), ApiSecurity('bearer'), ApiSecurity('basic'));
}

/** Injects the context of the request (request-context.ts). */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().context,
);

/** Injects a signal that is aborted when the client disconnects, or when it has got the response. */
export const Disconnected = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const disconnected = new AbortController();
  onClosed(context.switchToHttp().getResponse<Response>(), () => disconnected.abort());
  return disconnected.signal;
});

/** Injects the base URL of the request. */
export const RequestBaseUrl = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KalendsRequest>().apiBaseUrl,
);
