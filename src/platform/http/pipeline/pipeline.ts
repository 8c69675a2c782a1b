import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import { Database } from '../../../database/database.js';
import { isOverloaded } from '../../../database/connection/unavailable.js';
import { currentDeadline } from '../../../database/connection/deadline.js';
import { ApiError } from '../../../errors/api-error.js';
import { Tracing } from '../../observability/tracing.js';
import { UrlStage } from './url.stage.js';
import { BodyStage } from './body.stage.js';
import { AuthenticationStage } from './authentication.stage.js';
import { CorsStage } from './cors.stage.js';
import { DiscoveryStage } from './discovery.stage.js';
import { WriteEntryStage } from './write-capacity.stage.js';
import { HealthStage } from './health.stage.js';
import { RequestContextStage } from './request-context.stage.js';
import { RateLimitStage } from './rate-limit.stage.js';
import { isSafe } from '../../server/http-method.js';
import { ResponsesInFlight } from '../responses/responses-in-flight.js';
import { onClosed } from '../on-closed.js';
import { outlastsAnswer } from '../bodies/drain-body.js';
import { ResponseCacheStage } from './response-cache.stage.js';
import type { KalendsRequest } from '../request.js';
import { WriteOverloadStage } from './write-capacity.stage.js';
import { RouteStage } from './route.stage.js';
import { joinedStages, type Stage, type StagePlace } from './stage.js';
import { UnpackStage } from './body.stage.js';

/**
 * What happens to every request before a controller sees it, in the order that contract section 6 demands:
 * address, path outside the mounts, body, credentials, limit, compressed body, route. Guards and pipes of the framework run for known routes
 * only, and would come too late.
 */
@Injectable()
export class Pipeline implements OnApplicationBootstrap {
  private readonly order: readonly (Stage | StagePlace)[];
  private stages: readonly Stage[] = [];

  constructor(
    private readonly identity: RequestContextStage,
    private readonly tracing: Tracing,
    private readonly database: Database,
    private readonly outlet: ResponsesInFlight,
    private readonly providers: DiscoveryService,
    probes: HealthStage,
    address: UrlStage,
    cors: CorsStage,
    room: WriteOverloadStage,
    body: BodyStage,
    entry: WriteEntryStage,
    caller: AuthenticationStage,
    private readonly limit: RateLimitStage,
    unpack: UnpackStage,
    discovery: DiscoveryStage,
    route: RouteStage,
    recall: ResponseCacheStage,
  ) {
    // The headers that let a web page read an answer come first: they belong to refusals, too.
    this.order = [
      ...[probes, cors, address, room, 'before-body' as const, body, entry, caller, limit, 'authenticated' as const],
      ...[unpack, 'before-route' as const, discovery, route, recall],
    ];
  }

  onApplicationBootstrap(): void {
    this.stages = this.order.flatMap((step) => (typeof step === 'string' ? joinedStages(step, this.providers) : step));
  }

  /**
   * Does `work`, which answers the request, as one span, and with the time that it has for the database; or nothing. What
   * is read for somebody who has left nobody would see; a write is brought to its end.
   */
  around(request: KalendsRequest, response: Response, work: () => Promise<void>): void {
    if (request.isCutOff === true) return;
    const isReading = isSafe(request.method);
    const begin = () => {
      const budget = currentDeadline();
      if (isReading) onClosed(response, () => budget.expire());
      return work();
    };
    this.tracing.serve(request, response, () => {
      void this.database.withDeadlineFor(isReading ? 'reading' : 'writing', begin);
    });
  }

  /** Answers whether a stage has sent the answer; what they refuse is thrown. */
  async run(request: KalendsRequest, response: Response): Promise<boolean> {
    request.responsesInFlight = this.outlet;
    try {
      this.identity.handle(request, response);
      for (const stage of this.stages) {
        const handled = stage.handle(request, response);
        if (typeof handled === 'boolean' ? handled : await handled) return true;
      }
      return false;
    } catch (error) {
      // Whoever is refused for want of room has used nothing, nor have others at the same address.
      if (!isForWantOfRoom(error)) await this.limit.countRefused(request, response);
      if (outlastsAnswer(request)) response.setHeader('Connection', 'close');
      throw error;
    }
  }
}

function isForWantOfRoom(error: unknown): boolean {
  return isOverloaded(error) || (error instanceof ApiError && error.code === 'service_unavailable');
}
