import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { AnyExceptionFilter } from '../errors/exception.filter.js';
import { PageAssetsStage } from '../swagger-ui/page-assets.stage.js';
import { Descriptors } from '../server/descriptors.js';
import { Health } from '../server/health.js';
import { Shutdown } from '../server/shutdown.js';
import { Startup } from '../server/startup.js';
import { Wire } from '../server/wire.js';
import { AddressStage } from './address.stage.js';
import { BodiesInFlight } from './bodies-in-flight.js';
import { BodyStage } from './body.stage.js';
import { CallerStage } from './caller.stage.js';
import { CorsStage } from './cors.stage.js';
import { DiscoveryStage } from './discovery.stage.js';
import { EntryStage } from './entry.stage.js';
import { HealthStage } from './health.stage.js';
import { IdentityStage } from './identity.stage.js';
import { LimitStage } from './limit.stage.js';
import { Outlet } from './outlet.js';
import { RecallStage } from './recall.stage.js';
import { Room } from './room.js';
import { RoomStage } from './room.stage.js';
import { RouteStage } from './route.stage.js';
import { RouteTable } from './route-table.js';
import { Stages } from './stages.js';
import { UnpackStage } from './unpack.stage.js';

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
