import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Connector } from './database/connector.js';
import { ApiDocuments } from './docs/api-documents.js';
import { configuredEnvironment } from './config/environment.js';
import { PipelineAdapter } from './platform/http/pipeline/pipeline.adapter.js';
import { Pipeline } from './platform/http/pipeline/pipeline.js';
import { Log } from './platform/observability/log.js';
import { RedisStore } from './platform/limits/redis-store.js';
import { serverOptions, HttpServerEvents } from './platform/server/http-server.js';
import { Tracing } from './platform/observability/tracing.js';

/** Creates the application in Nest's preview mode, without instances: enough for the OpenAPI document. */
export function previewApp(): Promise<NestExpressApplication> {
  return NestFactory.create<NestExpressApplication>(AppModule, { preview: true, logger: false, abortOnError: false });
}

/** Creates the application and connects its database. Does not listen. */
export async function createApp(): Promise<NestExpressApplication> {
  const app = await wireApp();
  await app.get(Connector).connect('requests');
  return app;
}

/** Creates the application without a database connection, because the server listens before it has one. */
export async function wireApp(): Promise<NestExpressApplication> {
  const environment = configuredEnvironment();
  const adapter = new PipelineAdapter(serverOptions(environment));
  const app = await NestFactory.create<NestExpressApplication>(AppModule, adapter, {
    bodyParser: false,
    // The caller reports a failed start.
    logger: false,
    abortOnError: false,
    routeConflictPolicy: { duplicate: 'error', shadow: 'error' },
    routeResolutionStrategy: 'specificity',
  });
  app.useLogger(app.get(Log));
  app.disable('x-powered-by');
  app.disable('etag');
  // The URL stage parses the query.
  app.set('query parser', false);
  adapter.useStages(app.get(Pipeline));
  app.get(ApiDocuments).describe(app);
  app.get(HttpServerEvents).attach(app.getHttpServer());
  app.get(RedisStore).open();
  await app.get(Tracing).start();
  return app;
}
