import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type BaseUrl, apiRootOf } from '../platform/http/base-url.js';
import { defaultOf, fieldsOf, type DefaultContext } from '../platform/http/fields/field-metadata.js';
import type { Route } from '../platform/http/operation.js';
import { RouteTable } from '../platform/http/routing/route-table.js';
import { translated } from '../platform/translations/translation.js';

/** The documents of `/doc`: one a language, made, and what makes them loaded, when it is first asked for. */
@Injectable()
export class ApiDocuments {
  private readonly byLanguage = new Map<string, OpenAPIObject>();
  private app: INestApplication | undefined;

  constructor(private readonly routes: RouteTable) {}

  /** Tells which application is described; the scanner needs all of it. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  async of(root: BaseUrl, moment: DefaultContext): Promise<OpenAPIObject> {
    const document = await this.inLanguage(root.language);
    return {
      ...document,
      servers: [{ url: apiRootOf(root) }],
      paths: withMovingDefaults(document.paths, this.routes.all(), moment),
    };
  }

  private async inLanguage(language: string): Promise<OpenAPIObject> {
    const { openApiDocument } = await import('./openapi.js');
    const known = this.byLanguage.get(language);
    if (known !== undefined) return known;
    if (this.app === undefined) throw new Error('There is no application to describe.');
    const document = translated(openApiDocument(this.app, this.routes.all()), language);
    this.byLanguage.set(language, document);
    return document;
  }
}

type Paths = OpenAPIObject['paths'];
type Parameter = { name: string; schema?: object };

/** The paths with the defaults that depend on the day filled in; a document is kept for longer than that. */
export function withMovingDefaults(paths: Paths, routes: readonly Route[], moment: DefaultContext): Paths {
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
