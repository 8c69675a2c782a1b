import type * as Swagger from '@nestjs/swagger';
import { withKeys } from '../translations/translation.js';
import type { Operation } from './operation.js';

type Library = typeof Swagger;
type Decorator = 'ApiExcludeController' | 'ApiProperty' | 'ApiPropertyOptional' | 'ApiSecurity' | 'ApiTags';
type DecoratorFactory = (...options: unknown[]) => (...target: unknown[]) => void;
type Target = Parameters<MethodDecorator>;

/** An operation that the next OpenAPI document must include: its description, path and handler. */
export type PendingOperation = readonly [operation: Operation, path: string, target: Target];

const names = new Map<object, string>();
const members = new Map<object, string[]>();
const pendingDecorators: ((library: Library) => void)[] = [];
const pendingOperations: PendingOperation[] = [];

/*
 * Deferred versions of the decorators of `@nestjs/swagger`, applied when the first document is made. Loading that
 * library takes a fifth of the start time, and most processes never serve a document.
 */
export const ApiExcludeController = deferred('ApiExcludeController');
export const ApiProperty = deferredMember('ApiProperty');
export const ApiPropertyOptional = deferredMember('ApiPropertyOptional');
export const ApiSecurity = deferred('ApiSecurity');
export const ApiTags = deferred('ApiTags');

/** Names the schema of a class. */
export function ApiSchema(options: { readonly name: string; readonly description?: string }): ClassDecorator {
  return (target) => {
    names.set(target, options.name);
    withKeys('responses', options.name, options);
    pendingDecorators.push((library) => library.ApiSchema(options)(target));
  };
}

/** Returns the reference to the schema of a class. */
export function getSchemaPath(target: abstract new () => object): string {
  return `#/components/schemas/${names.get(target) ?? target.name}`;
}

/** Documents an operation from the description that also drives routing and checks (operation-docs.ts). */
export function ApiDocumented(operation: Operation, path: string): MethodDecorator {
  return (...target: unknown[]) => void pendingOperations.push([operation, path, target as unknown as Target]);
}

/** Applies all pending decorators. Returns the pending operations. */
export function applyPendingDecorators(library: Library): PendingOperation[] {
  for (const apply of pendingDecorators.splice(0)) apply(library);
  return pendingOperations.splice(0);
}

/** Returns the documented members of a response class. */
export function documentedMembers(type: abstract new () => object): readonly string[] {
  return members.get(type.prototype as object) ?? [];
}

/** Defers a decorator of a member, but registers the member's name immediately. */
function deferredMember<Name extends 'ApiProperty' | 'ApiPropertyOptional'>(name: Name): Library[Name] {
  const decorate = deferDecorator(name);
  const decorateMember: DecoratorFactory =
    (...options) =>
    (prototype, property) => {
      const known = members.get(prototype as object) ?? [];
      members.set(prototype as object, [...known, String(property)]);
      const { name: type } = (prototype as object).constructor;
      withKeys('responses', `${type.replace(/Response$/, '')}.${String(property)}`, options[0]);
      decorate(...options)(prototype, property);
    };
  return decorateMember;
}

function deferred<Name extends Decorator>(name: Name): Library[Name] {
  return deferDecorator(name);
}

function deferDecorator(name: Decorator): DecoratorFactory {
  return (...options) => {
    return (...target) =>
      void pendingDecorators.push((library) => (library[name] as DecoratorFactory)(...options)(...target));
  };
}
