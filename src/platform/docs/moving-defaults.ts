import type { OpenAPIObject } from '@nestjs/swagger';
import { defaultOf, type Moment } from '../http/field-default.js';
import { fieldsOf } from '../http/field.js';
import type { Route } from '../http/route-table.js';

type Paths = OpenAPIObject['paths'];
type Parameter = { name: string; schema?: object };

/** The paths with the defaults that depend on the day filled in; a document is kept for longer than that. */
export function withMovingDefaults(paths: Paths, routes: readonly Route[], moment: Moment): Paths {
  const moved = routes.map(({ path, operations }) => {
    const list = operations.find(({ kind }) => kind === 'list');
    const fields = list?.accepts === undefined ? [] : fieldsOf(list.accepts);
    const moving = fields.filter((field) => typeof field.default === 'function');
    return [path, new Map(moving.map((field) => [field.name, defaultOf(field, moment)]))] as const;
  });
  const changed = moved
    .filter(([path, defaults]) => defaults.size > 0 && path in paths)
    .map(([path, defaults]) => [path, withDefaults(paths[path] as Paths[string], defaults)] as const);
  return { ...paths, ...Object.fromEntries(changed) };
}

function withDefaults(item: Paths[string], defaults: ReadonlyMap<string, unknown>): Paths[string] {
  const parameters = (item.get?.parameters ?? []) as Parameter[];
  const filled = parameters.map((parameter) =>
    defaults.has(parameter.name)
      ? { ...parameter, schema: { ...parameter.schema, default: defaults.get(parameter.name) } }
      : parameter,
  );
  return { ...item, get: { ...item.get, parameters: filled } } as Paths[string];
}
