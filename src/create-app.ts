import 'reflect-metadata';
import { type Type, VersioningType } from '@nestjs/common';
import { type ApplicationConfig, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Connector } from './database/connector.js';
import type { Migrations } from './database/further-migrations.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { ApiDocuments } from './docs/api-documents.js';
import { configuredEnvironment, type Environment } from './config/environment.js';
import { PipelineAdapter } from './platform/http/pipeline/pipeline.adapter.js';
import { Pipeline } from './platform/http/pipeline/pipeline.js';
import { RouteTable } from './platform/http/routing/route-table.js';
import { ShownReplyInterceptor } from './platform/http/responses/shown-reply.js';
import { Log } from './platform/observability/log.js';
import { RedisStore } from './platform/limits/redis-store.js';
import { serverOptions, HttpServerEvents } from './platform/server/http-server.js';
import { Tracing } from './platform/observability/tracing.js';
import { type Imports, rootOf } from './root-module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What a team adds to the service. */
export interface Extension {
  /** Modules beside those of the service. They get its providers, and the default data source. */
  readonly modules?: Imports;
  /** Migrations of the modules, which run together with those of the service, by their time. */
  readonly migrations?: Migrations;
}

/** Creates the application in Nest's preview mode, without instances: enough for the OpenAPI document. */
export function previewApp(extension: Extension = {}): Promise<NestExpressApplication> {
  const options = { preview: true, logger: false, abortOnError: false } as const;
  return NestFactory.create<NestExpressApplication>(rootModule(extension), options);
}

/** Creates the application and connects its database. Does not listen. */
export async function createApp(extension: Extension = {}): Promise<NestExpressApplication> {
  const app = await wireApp(extension);
  await app.get(Connector).connect('requests');
  return app;
}

/** Creates the application without a database connection, because the server listens before it has one. */
export async function wireApp(extension: Extension = {}): Promise<NestExpressApplication> {
  const environment = configuredEnvironment();
  const adapter = new PipelineAdapter(serverOptions(environment));
  const app = await NestFactory.create<NestExpressApplication>(rootModule(extension, environment), adapter, {
    bodyParser: false,
    // The caller reports a failed start.
    logger: false,
    abortOnError: false,
    routeConflictPolicy: { duplicate: 'error' },
    routeResolutionStrategy: 'specificity',
  });
  app.enableVersioning({ type: VersioningType.URI });
  app.useLogger(app.get(Log));
  app.disable('x-powered-by');
  app.disable('etag');
  // For `request.ip` and `request.protocol` in modules.
  app.set('trust proxy', environment.TRUST_PROXY);
  adapter.useStages(app.get(Pipeline));
  app.get(RouteTable).useOrdinary(adapter.ordinaryRoutes);
  adapter.ordinaryRoutes.hasGlobalEnhancers = () => hasGlobalEnhancers(app);
  adapter.ordinaryRoutes.globalPrefix = () => configOf(app).getGlobalPrefix();
  if (configOf(app).getGlobalInterceptors().length > 0) app.useGlobalInterceptors(new ShownReplyInterceptor());
  app.get(ApiDocuments).describe(app);
  app.get(HttpServerEvents).attach(app.getHttpServer());
  app.get(RedisStore).open();
  await app.get(Tracing).start();
  return app;
}

/** Nest has no public way to read the global prefix, or the guards and interceptors for all routes. */
function configOf(app: NestExpressApplication): ApplicationConfig {
  return (app as unknown as { config: ApplicationConfig }).config;
}

function hasGlobalEnhancers(app: NestExpressApplication): boolean {
  const config = configOf(app);
  return [
    config.getGlobalGuards(),
    config.getGlobalInterceptors(),
    config.getGlobalRequestGuards(),
    config.getGlobalRequestInterceptors(),
  ].some(({ length }) => length > 0);
}

/** Returns the root module. Without feeds or webhooks there are no routes of them, in `/doc` neither. */
export function rootModule(
  { modules = [], migrations = [] }: Extension,
  { FEEDS, WEBHOOKS }: Pick<Environment, 'FEEDS' | 'WEBHOOKS'> = { FEEDS: true, WEBHOOKS: true },
): Type {
  return rootOf(
    [AppModule, ...(FEEDS ? [FeedsModule] : []), ...(WEBHOOKS ? [WebhooksModule] : []), ...modules],
    migrations,
  );
}
