import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { ErrorPages } from './responses/error-page.js';
import { AnyExceptionFilter } from './responses/exception.filter.js';
import { FileDescriptors } from '../server/file-descriptors.js';
import { Health } from '../server/health.js';
import { Shutdown } from '../server/shutdown.js';
import { Startup } from '../server/startup.js';
import { HttpServerEvents } from '../server/http-server.js';
import { AccessLog } from './pipeline/access-log.js';
import { UrlStage } from './pipeline/url.stage.js';
import { CommandContext } from './command-context.js';
import { BodiesInFlight } from './bodies/bodies-in-flight.js';
import { BodyStage, DecompressionStage } from './pipeline/body.stage.js';
import { AuthenticationStage } from './pipeline/authentication.stage.js';
import { CorsStage } from './pipeline/cors.stage.js';
import { DiscoveryStage } from './pipeline/discovery.stage.js';
import { IdempotencyStage } from './pipeline/idempotency.stage.js';
import { WriteCapacityStage, WriteCapacity, WriteOverloadStage } from './pipeline/write-capacity.stage.js';
import { HealthStage } from './pipeline/health.stage.js';
import { RequestContextStage } from './pipeline/request-context.stage.js';
import { RateLimitStage } from './pipeline/rate-limit.stage.js';
import { ResponsesInFlight } from './responses/responses-in-flight.js';
import { ResponseCacheStage } from './pipeline/response-cache.stage.js';
import { RouteStage } from './pipeline/route.stage.js';
import { RouteTable } from './routing/route-table.js';
import { SitePaths } from './routing/site-paths.js';
import { FastPath } from './pipeline/fast-path.js';
import { Pipeline } from './pipeline/pipeline.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    SitePaths,
    ErrorPages,
    RouteTable,
    Pipeline,
    ResponsesInFlight,
    AccessLog,
    CommandContext,
    RequestContextStage,
    UrlStage,
    CorsStage,
    WriteCapacity,
    WriteOverloadStage,
    BodiesInFlight,
    BodyStage,
    WriteCapacityStage,
    AuthenticationStage,
    RateLimitStage,
    DecompressionStage,
    DiscoveryStage,
    RouteStage,
    IdempotencyStage,
    ResponseCacheStage,
    FastPath,
    HttpServerEvents,
    FileDescriptors,
    Health,
    HealthStage,
    Startup,
    Shutdown,
    { provide: APP_FILTER, useClass: AnyExceptionFilter },
  ],
  exports: [
    BodiesInFlight,
    CommandContext,
    FileDescriptors,
    ResponsesInFlight,
    RouteTable,
    SitePaths,
    ErrorPages,
    Pipeline,
    HttpServerEvents,
    Health,
    Startup,
    Shutdown,
  ],
})
export class HttpModule {}
