import type { OpenAPIObject } from '@nestjs/swagger';
import { getSchemaPath } from '../platform/http/api-decorators.js';
import { fieldsOf } from '../platform/http/fields/field-metadata.js';
import type { Route } from '../platform/http/operation.js';
import { queryParameter } from './parameter-docs.js';

type Paths = OpenAPIObject['paths'];
type Schemas = Readonly<Record<string, unknown>>;
type RecordSchema = { readonly properties?: object; readonly required?: readonly string[] };

/*
 * The additions of modules to our operations. The decorators of an operation document it once for all applications of
 * the process, so the additions of one application are made in its document.
 */

/** Adds the parameters of lists that their handlers do not declare. */
export function withFurtherParameters(paths: Paths, routes: readonly Route[]): Paths {
  const changed = routes.flatMap(({ path, operations }) => {
    const { accepts } = operations.find(({ kind }) => kind === 'list') ?? {};
    const { get, ...others } = paths[path] ?? {};
    if (accepts === undefined || get === undefined) return [];
    const declared = (get.parameters ?? []) as { readonly name: string }[];
    const further = fieldsOf(accepts).filter(({ name }) => declared.every((parameter) => parameter.name !== name));
    if (further.length === 0) return [];
    return [[path, { get: { ...get, parameters: [...declared, ...further.map(queryParameter)] }, ...others }] as const];
  });
  return { ...paths, ...(Object.fromEntries(changed) as Paths) };
}

/** Adds the members that modules add to records. Every response has them, and each may be null. */
export function withFurtherMembers(schemas: Schemas, routes: readonly Route[]): Schemas {
  const changed = routes
    .flatMap(({ operations }) => operations)
    .flatMap(({ answers, furtherMembers }) => {
      if (answers === undefined || furtherMembers === undefined) return [];
      const name = getSchemaPath(answers).split('/').at(-1) as string;
      const { properties, required = [], ...schema } = schemas[name] as RecordSchema;
      const members = Object.entries(furtherMembers).map(
        ([member, of]) => [member, { ...of, nullable: true }] as const,
      );
      const all = { ...properties, ...Object.fromEntries(members) };
      return [[name, { ...schema, properties: all, required: [...required, ...Object.keys(furtherMembers)] }] as const];
    });
  return { ...schemas, ...Object.fromEntries(changed) };
}
