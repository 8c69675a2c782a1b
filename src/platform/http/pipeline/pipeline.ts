import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import { Database } from '../../../database/database.js';
import { isOverloaded } from '../../../database/connection/unavailable.js';
import { currentDeadline } from '../../../database/connection/deadline.js';
import { ApiError } from '../../../errors/api-error.js';
import { Tracing } from '../../observability/tracing.js';
import { UrlStage } from './url.stage.js';
import { BodyStage, DecompressionStage } from './body.stage.js';
import { AuthenticationStage } from './authentication.stage.js';
import { CorsStage } from './cors.stage.js';
import { DiscoveryStage } from './discovery.stage.js';
import { IdempotencyStage } from './idempotency.stage.js';
import { WriteCapacityStage, WriteOverloadStage } from './write-capacity.stage.js';
import { HealthStage } from './health.stage.js';
import { RequestContextStage } from './request-context.stage.js';
import { RateLimitStage } from './rate-limit.stage.js';
import { isSafe } from '../../server/http-method.js';
import { FastPath } from './fast-path.js';
import { ResponsesInFlight } from '../responses/responses-in-flight.js';
import { onClosed } from '../on-closed.js';
import { hasLongRest } from '../bodies/drain-body.js';
import { ResponseCacheStage } from './response-cache.stage.js';
import type { KalendsRequest } from '../request.js';
import { RouteStage } from './route.stage.js';
import { stagesAt, type Stage, type StagePlace } from './stage.js';

/**
 * The stages of every request before its controller, in the order of contract section 6: URL, path outside the mounts,
 * body, credentials, rate limit, compressed body, route. Nest's guards and pipes would be too late, because they run
 * for known routes only.
 */
@Injectable()
export class Pipeline implements OnApplicationBootstrap {
  private readonly order: readonly (Stage | StagePlace)[];
  private stages: readonly Stage[] = [];
  private stagesOfModules: readonly Stage[] = [];

  constructor(
    private readonly requestContext: RequestContextStage,
    private readonly tracing: Tracing,
    private readonly database: Database,
    private readonly responsesInFlight: ResponsesInFlight,
    private readonly providers: DiscoveryService,
    health: HealthStage,
    url: UrlStage,
    cors: CorsStage,
    writeOverload: WriteOverloadStage,
    body: BodyStage,
    writeCapacity: WriteCapacityStage,
    authentication: AuthenticationStage,
    private readonly rateLimit: RateLimitStage,
    decompression: DecompressionStage,
    discovery: DiscoveryStage,
    route: RouteStage,
    idempotency: IdempotencyStage,
    responseCache: ResponseCacheStage,
    private readonly fastPath: FastPath,
  ) {
    // CORS comes early, because web pages must be able to read errors, too.
    // prettier-ignore
    this.order = [
      health, 'before-url', cors, url, writeOverload,
      'before-body', body, writeCapacity, authentication, rateLimit,
      'authenticated', decompression,
      'before-route', discovery, route, idempotency, responseCache,
    ];
  }

  onApplicationBootstrap(): void {
    this.stages = this.order.flatMap((step) => (typeof step === 'string' ? stagesAt(step, this.providers) : step));
    this.stagesOfModules = this.stages.filter((stage) => !this.order.includes(stage));
  }

  /** Answers a request by the fast path if it can, or else runs `work`. */
  around(request: KalendsRequest, response: Response, work: () => Promise<void>): void {
    if (request.isCutOff === true) return;
    this.fastPath.answer(request, response, () => this.inFull(request, response, work));
  }

  /**
   * Runs `work` in a tracing span and with a database deadline. A read stops when its client disconnects; a write is
   * completed.
   */
  private inFull(request: KalendsRequest, response: Response, work: () => Promise<void>): void {
    const isReading = isSafe(request.method);
    const begin = () => {
      const deadline = currentDeadline();
      onClosed(response, () => {
        if (response.writableFinished) deadline.lift();
        else if (isReading) deadline.expire();
      });
      return work();
    };
    this.tracing.serve(request, response, () => {
      void this.database.withDeadlineFor(isReading ? 'read' : 'write', begin);
    });
  }

  /** Returns whether a stage has sent the response. Throws the error of a stage that rejects the request. */
  async run(request: KalendsRequest, response: Response): Promise<boolean> {
    request.responsesInFlight = this.responsesInFlight;
    try {
      this.requestContext.handle(request, response);
      for (const stage of this.stages) {
        const handled = stage.handle(request, response);
        if (typeof handled === 'boolean' ? handled : await handled) {
          this.fastPath.learn(request, response, this.stagesOfModules);
          return true;
        }
      }
      return false;
    } catch (error) {
      // A request that is rejected because of overload does not count against RATE_LIMIT.
      if (!isOverloadError(error)) await this.rateLimit.countRejected(request, response);
      if (hasLongRest(request)) response.setHeader('Connection', 'close');
      throw error;
    }
  }
}

function isOverloadError(error: unknown): boolean {
  return isOverloaded(error) || (error instanceof ApiError && error.code === 'service_unavailable');
}
