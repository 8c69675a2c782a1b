import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { CorsPolicy } from '../../server/cors-policy.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** Tells browsers which web pages may call, and answers them when they ask beforehand (contract 5.4). */
@Injectable()
export class CorsStage implements Stage {
  private readonly policy: CorsPolicy;

  constructor(environment: Environment) {
    this.policy = new CorsPolicy(environment.CORS_ORIGINS);
  }

  handle(request: KalendsRequest, response: Response): boolean {
    const { method, headers } = request;
    const { origin } = headers;
    if (this.policy.variesByOrigin) response.append('Vary', 'Origin');
    const wanted = wantedMethod(request);
    if (wanted === undefined) {
      response.set(this.policy.answer({ method, origin }));
      return false;
    }
    response.set(this.policy.preflight({ method: wanted, origin }));
    response.writeHead(204).end();
    return true;
  }
}

/** What a browser asks about before it does it; what lies outside the mounts is for navigating to, not for calling. */
function wantedMethod({ method, headers, routePath, namespaces }: KalendsRequest): string | undefined {
  const isForPrograms = routePath !== undefined || namespaces !== undefined;
  return method === 'OPTIONS' && isForPrograms ? headers['access-control-request-method'] : undefined;
}
