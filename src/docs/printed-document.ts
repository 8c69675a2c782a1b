import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import type { Environment } from '../config/environment.js';
import { Mounts } from '../config/mounts.js';
import { parameterAmendment } from '../events/hooks/list-filter.js';
import { memberAmendment } from '../events/hooks/member.js';
import { routesOf } from '../platform/http/routing/route-table.js';
import { translated } from '../platform/translations/translation.js';
import { openApiDocument } from './openapi.js';

/** The options of `kalends openapi`. */
export interface OpenApiOptions {
  readonly language: string;
  readonly url?: string;
}

/**
 * Returns the OpenAPI document of an application in preview mode. Omits defaults that depend on the time, so that it depends
 * only on the version of the service.
 */
export function printedDocument(
  app: INestApplication,
  environment: Environment,
  { language, url }: OpenApiOptions,
): object {
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const controllers = discovery.getControllers().map(({ metatype }) => metatype as new () => object);
  const routes = routesOf(controllers, [parameterAmendment(discovery), memberAmendment(discovery)]);
  const document = translated(openApiDocument(app, routes), language);
  return { ...document, servers: [{ url: url ?? canonicalUrl(environment) }] };
}

function canonicalUrl(environment: Environment): string {
  return `${environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`}${new Mounts(environment).canonical}`;
}
