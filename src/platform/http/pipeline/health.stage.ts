import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { HEALTH, isProbePath } from '../../../config/mounts.js';
import { apiError } from '../../../errors/api-error.js';
import { RedisStore } from '../../limits/redis-store.js';
import { Health } from '../../server/health.js';
import type { KalendsRequest } from '../request.js';
import { sendAnswer } from '../responses/send.js';
import type { Stage } from './stage.js';

const NOT_KEPT = { 'Cache-Control': 'private, no-store' };

export function isProbe({ path, routePath }: KalendsRequest): boolean {
  return routePath === undefined && isProbePath(path);
}

/** Tells orchestrators and gateways how this instance is. Outside the mounts, and never by asking the database. */
@Injectable()
export class HealthStage implements Stage {
  constructor(
    private readonly health: Health,
    private readonly limits: RedisStore,
  ) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    if (!isProbe(request)) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw apiError('rest_no_route', { status: 405, headers: { Allow: 'GET, HEAD' } });
    }
    const reason = request.path === HEALTH.ready ? this.health.unready : undefined;
    if (reason !== undefined) {
      throw apiError('service_unavailable', { data: { reason }, headers: { 'Retry-After': '1' } });
    }
    // The stages that read the query come later.
    request.queryValues = {};
    const body = request.path === HEALTH.ready ? this.readiness() : { status: 'live' };
    return sendAnswer(response, { body, headers: NOT_KEPT }).then(() => true);
  }

  /** Looser limits are no reason to send requests elsewhere. What the database promises is told to the operator only. */
  private readiness(): object {
    return { status: 'ready', ...(this.limits.isAway ? { warnings: ['redis'] } : {}) };
  }
}
