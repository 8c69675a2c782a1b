import { setImmediate as nextTurn } from 'node:timers/promises';
import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type BaseUrl, apiRootOf } from '../platform/http/base-url.js';
import { defaultOf, fieldsOf, type DefaultContext } from '../platform/http/fields/field-metadata.js';
import type { Route } from '../platform/http/operation.js';
import { RouteTable } from '../platform/http/routing/route-table.js';
import { TRANSLATED } from '../platform/translations/catalogues.js';
import { translated } from '../platform/translations/translation.js';
import { swagger, validatorSchemas } from './libraries.js';
import { openApiDocument } from './openapi.js';
import { labelsIn } from './swagger-ui/labels.js';
import { readAssets } from './swagger-ui/page-assets.stage.js';

/** Creates the OpenAPI document of each language on its first request, and caches it. */
@Injectable()
export class ApiDocuments {
  private readonly byLanguage = new Map<string, OpenAPIObject>();
  private app: INestApplication | undefined;

  constructor(private readonly routes: RouteTable) {}

  /** Sets the application that the documents describe. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /**
   * Reads all files that documents and pages need. Then the service can show them while its files are replaced, as by
   * `npm ci` in its folder. Requests are served in between, because each of the two packages takes a tenth of a second.
   */
  async load(): Promise<void> {
    readAssets();
    for (const language of TRANSLATED) {
      labelsIn(language);
      translated({}, language);
    }
    for (const loadPackage of [swagger, validatorSchemas]) {
      await nextTurn();
      loadPackage();
    }
  }

  of(baseUrl: BaseUrl, context: DefaultContext): OpenAPIObject {
    const document = this.inLanguage(baseUrl.language);
    return {
      ...document,
      servers: [{ url: apiRootOf(baseUrl) }],
      paths: withComputedDefaults(document.paths, this.routes.all(), context),
    };
  }

  private inLanguage(language: string): OpenAPIObject {
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

/** Returns the paths with defaults that depend on the time. The cached document does not contain them. */
export function withComputedDefaults(paths: Paths, routes: readonly Route[], context: DefaultContext): Paths {
  const computed = routes.map(({ path, operations }) => {
    const list = operations.find(({ kind }) => kind === 'list');
    const fields = list?.accepts === undefined ? [] : fieldsOf(list.accepts);
    const dynamic = fields.filter((field) => typeof field.default === 'function');
    return [path, new Map(dynamic.map((field) => [field.name, defaultOf(field, context)]))] as const;
  });
  const changed = computed
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
