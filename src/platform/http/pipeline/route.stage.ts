import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { NAMESPACE } from '../../../config/mounts.js';
import { apiError } from '../../../errors/api-error.js';
import { sendReply } from '../responses/send.js';
import type { KalendsRequest } from '../request.js';
import { routeEntry } from '../routing/route-descriptions.js';
import type { MatchedRoute, Route } from '../operation.js';
import { isServable, RouteTable } from '../routing/route-table.js';
import type { Stage } from './stage.js';

/**
 * Decides between 404, 405 and a controller. Handlers are found by the template of their route, whatever the mount.
 * POST and PUT of an update become PATCH, so that the three behave alike. Express finds the handlers of ordinary routes by
 * the URL, which becomes the one below the canonical mount.
 */
@Injectable()
export class RouteStage implements Stage {
  constructor(private readonly routes: RouteTable) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const { method, match, routePath } = request;
    request.sentMethod = method;
    if (routePath !== undefined) request.url = `/${NAMESPACE}${routePath}${queryOf(request.url)}`;
    if (match === undefined) return this.withoutRoute(request);
    const { route, params } = match;
    if (method === 'OPTIONS' && routePath !== undefined && !route.methods.includes('OPTIONS')) {
      response.setHeader('Allow', route.allow.join(', '));
      return sendReply(response, { body: routeEntry(route, request.apiBaseUrl, request.context) }).then(() => true);
    }
    if (method === 'OPTIONS' && request.page !== undefined) {
      response.setHeader('Allow', route.allow.join(', '));
      response.writeHead(204).end();
      return true;
    }
    // Middleware may answer a preflight request.
    const isAllowed = route.allow.includes(method) || (method === 'OPTIONS' && this.routes.hasMiddleware);
    if (!isAllowed) throw methodNotAllowed(route.allow);
    request.matched = route;
    if (route.isOrdinary) return false;
    if (isUpdate(route, method) && !this.routes.hasMiddleware) request.method = 'PATCH';
    request.params = decoded(params);
    return false;
  }

  /** Lets Express middleware of modules respond. */
  private withoutRoute({ path }: KalendsRequest): false {
    if (this.routes.hasMiddleware && isServable(path)) return false;
    throw apiError('rest_no_route');
  }
}

function isUpdate({ operations }: Route, method: string): boolean {
  return (method === 'POST' || method === 'PUT') && operations.some(({ kind }) => kind === 'update');
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

function methodNotAllowed(allow: MatchedRoute['allow']) {
  return apiError('rest_no_route', { status: 405, headers: { Allow: allow.join(', ') } });
}
