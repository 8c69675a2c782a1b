import { applyDecorators, Controller, Delete, Get, Patch, Post, type Type, UseInterceptors } from '@nestjs/common';
import { NAMESPACE } from '../../../config/mounts.js';
import { ApiDocumented, ApiTags } from '../api-decorators.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { describeOperation, isWrite, type Operation } from '../operation.js';
import type { WrittenReply } from '../reply.js';
import { IgnoredMembersInterceptor } from './ignored-members.interceptor.js';

type Details = Omit<Operation, 'kind'>;

/**
 * Decorates a handler that returns what `writeReply` returns. Another handler does not compile, because a request with an
 * Idempotency-Key would write again when it is repeated.
 */
type WriteDecorator = <Handler extends (...args: never[]) => Promise<WrittenReply>>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/** GET of a collection. `path`: that of the records that belong to one record, such as `:id/messages`. */
export const Lists = (details: Details & { accepts: Type<object> }, path = '') => operation('list', Get, path, details);

/** POST to a collection. */
export const Creates = (details: Details & { accepts: Type<object> }): WriteDecorator =>
  operation('create', Post, '', details);

/** GET of one record. */
export const Reads = (path: string, details: Details) => operation('read', Get, path, details);

/** The partial update of one record. The route stage turns POST and PUT into PATCH (route.stage.ts). */
export const Updates = (path: string, details: Details & { accepts: Type<object> }): WriteDecorator =>
  operation('update', Patch, path, details);

/** DELETE of one record. */
export const Deletes = (path: string, details: Details): WriteDecorator => operation('delete', Delete, path, details);

/** POST of an action on one record, such as `:id/rotate`. */
export const Acts = (path: string, details: Details): WriteDecorator => operation('act', Post, path, details);

/** GET of a description of the service: the index or the documentation. */
export const Describes = (path: string, details: Details) => operation('describe', Get, path, details);

function operation(
  kind: Operation['kind'],
  verb: (path: string) => MethodDecorator,
  path: string,
  details: Details,
): MethodDecorator {
  const described: Operation = { kind, ...details };
  const describe: MethodDecorator = (_prototype, _name, descriptor) =>
    describeOperation(descriptor.value as object, described);
  return applyDecorators(
    verb(path),
    describe,
    ...(isWrite(described) ? [UseInterceptors(IgnoredMembersInterceptor, IdempotencyInterceptor)] : []),
    ApiDocumented(described, path),
  );
}

/** A controller below every mount: `@ResourceController('venues', 'Venues')`. */
export function ResourceController(path: string, tag: string): ClassDecorator {
  return applyDecorators(Controller(path === '' ? NAMESPACE : `${NAMESPACE}/${path}`), ApiTags(tag));
}
