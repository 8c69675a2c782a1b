import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { HEALTH, isProbePath } from '../../../config/mounts.js';
import { apiError } from '../../../errors/api-error.js';
import { RedisStore } from '../../limits/redis-store.js';
import { Health } from '../../server/health.js';
import type { KalendsRequest } from '../request.js';
import { sendReply } from '../responses/send.js';
import type { Stage } from './stage.js';

const NO_STORE = { 'Cache-Control': 'private, no-store' };

export function isProbe({ path, routePath }: KalendsRequest): boolean {
  return routePath === undefined && isProbePath(path);
}

/** Answers health probes of orchestrators and proxies, without a database query. */
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
    const reason = request.path === HEALTH.ready ? this.health.unreadyReason : undefined;
    if (reason !== undefined) {
      throw apiError('service_unavailable', { data: { reason }, headers: { 'Retry-After': '1' } });
    }
    // A later stage would set it.
    request.queryValues = {};
    const body = request.path === HEALTH.ready ? this.readiness() : { status: 'live' };
    return sendReply(response, { body, headers: NO_STORE }).then(() => true);
  }

  /** Without Redis the instance stays ready, because only the rate limits are less strict. */
  private readiness(): object {
    return { status: 'ready', ...(this.limits.isUnavailable ? { warnings: ['redis'] } : {}) };
  }
}
