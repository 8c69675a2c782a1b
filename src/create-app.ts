import 'reflect-metadata';
import { Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Connector } from './database/connector.js';
import { ApiDocuments } from './docs/api-documents.js';
import { configuredEnvironment } from './config/environment.js';
import { PipelineAdapter } from './platform/http/pipeline/pipeline.adapter.js';
import { Pipeline } from './platform/http/pipeline/pipeline.js';
import { RouteTable } from './platform/http/routing/route-table.js';
import { Log } from './platform/observability/log.js';
import { RedisStore } from './platform/limits/redis-store.js';
import { serverOptions, HttpServerEvents } from './platform/server/http-server.js';
import { Tracing } from './platform/observability/tracing.js';

/** What a team adds to the service. */
export interface AppOptions {
  /** Modules of NestJS, beside those of the service. */
  readonly modules?: readonly ModuleImport[];
}

export type ModuleImport = NonNullable<ModuleMetadata['imports']>[number];

/** Creates the application in Nest's preview mode, without instances: enough for the OpenAPI document. */
export function previewApp({ modules = [] }: AppOptions = {}): Promise<NestExpressApplication> {
  const options = { preview: true, logger: false, abortOnError: false } as const;
  return NestFactory.create<NestExpressApplication>(rootOf(modules), options);
}

/** Creates the application and connects its database. Does not listen. */
export async function createApp(options: AppOptions = {}): Promise<NestExpressApplication> {
  const app = await wireApp(options);
  await app.get(Connector).connect('requests');
  return app;
}

/** Creates the application without a database connection, because the server listens before it has one. */
export async function wireApp({ modules = [] }: AppOptions = {}): Promise<NestExpressApplication> {
  const environment = configuredEnvironment();
  const adapter = new PipelineAdapter(serverOptions(environment));
  const app = await NestFactory.create<NestExpressApplication>(rootOf(modules), adapter, {
    bodyParser: false,
    // The caller reports a failed start.
    logger: false,
    abortOnError: false,
    routeConflictPolicy: { duplicate: 'error' },
    routeResolutionStrategy: 'specificity',
  });
  app.useLogger(app.get(Log));
  app.disable('x-powered-by');
  app.disable('etag');
  adapter.useStages(app.get(Pipeline));
  app.get(RouteTable).useOrdinary(adapter.ordinaryRoutes);
  app.get(ApiDocuments).describe(app);
  app.get(HttpServerEvents).attach(app.getHttpServer());
  app.get(RedisStore).open();
  await app.get(Tracing).start();
  return app;
}

/** Nest scans imports of a class in order, but those of a dynamic module first: their filters would come after ours. */
function rootOf(modules: readonly ModuleImport[]): Type {
  class RootModule {}
  Module({ imports: [AppModule, ...modules] })(RootModule);
  return RootModule;
}
