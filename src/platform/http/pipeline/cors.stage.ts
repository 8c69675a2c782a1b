import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { CorsPolicy } from '../../server/cors-policy.js';
import type { KalendsRequest } from '../request.js';
import type { Stage } from './stage.js';

/** Sets the CORS headers and answers preflight requests (contract 5.4). */
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
    const preflighted = preflightMethod(request);
    if (preflighted === undefined) {
      response.set(this.policy.responseHeaders({ method, origin }));
      return false;
    }
    response.set(this.policy.preflightHeaders({ method: preflighted, origin }));
    response.writeHead(204).end();
    return true;
  }
}

/** Returns the method that a preflight request asks for. Outside the mounts there are no preflight requests. */
function preflightMethod({ method, headers, routePath, namespaces }: KalendsRequest): string | undefined {
  const isApiPath = routePath !== undefined || namespaces !== undefined;
  return method === 'OPTIONS' && isApiPath ? headers['access-control-request-method'] : undefined;
}
