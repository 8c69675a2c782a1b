import type * as Swagger from '@nestjs/swagger';
import { named } from '../translations/translation.js';
import type { Operation } from './operation.js';

type Library = typeof Swagger;
type Decorator = 'ApiExcludeController' | 'ApiProperty' | 'ApiPropertyOptional' | 'ApiTags';
type Decorate = (...options: unknown[]) => (...target: unknown[]) => void;
type Target = Parameters<MethodDecorator>;

/** An operation that is still to be documented: what it is, its path, and the method that handles it. */
export type Documented = readonly [operation: Operation, path: string, target: Target];

const names = new Map<object, string>();
const members = new Map<object, string[]>();
const decorations: ((library: Library) => void)[] = [];
const operations: Documented[] = [];

/*
 * The decorators of `@nestjs/swagger`, and what they are to note down when the first document is made: to load that
 * library takes a fifth of a start, and most processes never show a document.
 */
export const ApiExcludeController = later('ApiExcludeController');
export const ApiProperty = member('ApiProperty');
export const ApiPropertyOptional = member('ApiPropertyOptional');
export const ApiTags = later('ApiTags');

/** Names the schema of a class. */
export function ApiSchema(options: { readonly name: string; readonly description?: string }): ClassDecorator {
  return (target) => {
    names.set(target, options.name);
    named('responses', options.name, options);
    decorations.push((library) => library.ApiSchema(options)(target));
  };
}

/** The reference to the schema of a class. */
export function getSchemaPath(target: abstract new () => object): string {
  return `#/components/schemas/${names.get(target) ?? target.name}`;
}

/** Documents an operation by what routing and checks go by (operation-docs.ts). */
export function ApiDocumented(operation: Operation, path: string): MethodDecorator {
  return (...target: unknown[]) => void operations.push([operation, path, target as unknown as Target]);
}

/** Applies the decorators that no document has needed yet; answers the operations that are still to be documented. */
export function decorate(library: Library): Documented[] {
  for (const apply of decorations.splice(0)) apply(library);
  return operations.splice(0);
}

/** The members that a class of answers documents. */
export function membersOf(type: abstract new () => object): readonly string[] {
  return members.get(type.prototype as object) ?? [];
}

/** Of a member, whose name is known at once. */
function member<Name extends 'ApiProperty' | 'ApiPropertyOptional'>(name: Name): Library[Name] {
  const decorate = decorateLater(name);
  const decorateMember: Decorate =
    (...options) =>
    (prototype, property) => {
      const known = members.get(prototype as object) ?? [];
      members.set(prototype as object, [...known, String(property)]);
      const { name: type } = (prototype as object).constructor;
      named('responses', `${type.replace(/Response$/, '')}.${String(property)}`, options[0]);
      decorate(...options)(prototype, property);
    };
  return decorateMember;
}

function later<Name extends Decorator>(name: Name): Library[Name] {
  return decorateLater(name);
}

function decorateLater(name: Decorator): Decorate {
  return (...options) => {
    return (...target) => void decorations.push((library) => (library[name] as Decorate)(...options)(...target));
  };
}
