import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
// @ts-expect-error -- the package has the types of this file in another folder
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import { type Field, fieldsOf } from '../platform/http/fields/field-metadata.js';
import { operationOf } from '../platform/http/operation.js';
import { swagger, validatorSchemas } from './libraries.js';

type Schema = Readonly<Record<string, unknown>>;
type Class = Type<object>;

const BUILT_IN: readonly unknown[] = [Object, String, Number, Boolean, Array, Date, Promise, Buffer];

/**
 * Describes the parameter classes of ordinary controllers for `@nestjs/swagger`: properties with decorators of
 * class-validator or with our field decorators need no `@ApiProperty()`. What `@ApiProperty()` says has priority.
 */
export function documentOrdinaryControllers(app: INestApplication): void {
  const described = new Set<Class>();
  for (const { metatype } of new DiscoveryService(app.get(ModulesContainer)).getControllers()) {
    for (const type of parameterTypes(metatype as Class)) describe(type, described);
  }
}

/** Returns the classes of the parameters of all handlers without our decorators. */
function parameterTypes(controller: Class): Class[] {
  const prototype = controller.prototype as Record<string, object>;
  const handlers = Object.getOwnPropertyNames(prototype).filter((name) => {
    return (
      name !== 'constructor' && typeof prototype[name] === 'function' && operationOf(prototype[name]) === undefined
    );
  });
  return handlers
    .flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[])
    .filter((type): type is Class => isClass(type));
}

function isClass(type: unknown): type is Class {
  return typeof type === 'function' && type.prototype !== undefined && !BUILT_IN.includes(type);
}

function describe(type: Class, described: Set<Class>): void {
  if (described.has(type)) return;
  described.add(type);
  const { properties = {}, required = [] } = validatorSchemas().targetConstructorToSchema(type) as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  for (const [name, schema] of Object.entries(properties)) {
    const nested = nestedType(type, name);
    const shape = nested === undefined ? schema : { type: () => nested, isArray: schema.type === 'array' };
    document(type, name, { ...shape, required: required.includes(name) });
    if (nested !== undefined) describe(nested, described);
  }
  for (const field of fieldsOf(type)) document(type, field.name, schemaOf(field));
}

/** Returns the class that `@Type()` of class-transformer names, which class-validator does not know. */
function nestedType(type: Class, property: string): Class | undefined {
  const storage = defaultMetadataStorage as MetadataStorage;
  const found = storage.findTypeMetadata(type, property)?.typeFunction() as unknown;
  return isClass(found) ? found : undefined;
}

function document({ prototype }: Class, name: string, schema: Schema): void {
  const declared = (Reflect.getMetadata(swagger().DECORATORS.API_MODEL_PROPERTIES, prototype as object, name) ??
    {}) as Schema;
  swagger().ApiProperty({ ...schema, ...declared })(prototype as object, name);
}

function schemaOf({ description, type = 'string', enum: values, example, required = false }: Field): Schema {
  return { description, type, ...(type === 'array' ? { items: {} } : {}), enum: values, example, required };
}
