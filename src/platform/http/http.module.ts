import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { AnyExceptionFilter } from './responses/exception.filter.js';
import { PageAssetsStage } from '../../docs/swagger-ui/page-assets.stage.js';
import { Descriptors } from '../server/file-descriptors.js';
import { Health } from '../server/health.js';
import { Shutdown } from '../server/shutdown.js';
import { Startup } from '../server/startup.js';
import { Wire } from '../server/http-server.js';
import { AddressStage } from './pipeline/url.stage.js';
import { BodiesInFlight } from './bodies/bodies-in-flight.js';
import { BodyStage } from './pipeline/body.stage.js';
import { CallerStage } from './pipeline/authentication.stage.js';
import { CorsStage } from './pipeline/cors.stage.js';
import { DiscoveryStage } from './pipeline/discovery.stage.js';
import { EntryStage } from './pipeline/write-capacity.stage.js';
import { HealthStage } from './pipeline/health.stage.js';
import { IdentityStage } from './pipeline/request-context.stage.js';
import { LimitStage } from './pipeline/rate-limit.stage.js';
import { Outlet } from './responses/responses-in-flight.js';
import { RecallStage } from './pipeline/response-cache.stage.js';
import { Room } from './pipeline/write-capacity.stage.js';
import { RoomStage } from './pipeline/write-capacity.stage.js';
import { RouteStage } from './pipeline/route.stage.js';
import { RouteTable } from './routing/route-table.js';
import { Stages } from './pipeline/pipeline.js';
import { UnpackStage } from './pipeline/body.stage.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    RouteTable,
    Stages,
    Outlet,
    IdentityStage,
    AddressStage,
    CorsStage,
    Room,
    RoomStage,
    BodiesInFlight,
    BodyStage,
    EntryStage,
    CallerStage,
    LimitStage,
    UnpackStage,
    PageAssetsStage,
    DiscoveryStage,
    RouteStage,
    RecallStage,
    Wire,
    Descriptors,
    Health,
    HealthStage,
    Startup,
    Shutdown,
    { provide: APP_FILTER, useClass: AnyExceptionFilter },
  ],
  exports: [BodiesInFlight, Descriptors, Outlet, RouteTable, Stages, Wire, Health, Startup, Shutdown],
})
export class HttpModule {}
