import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { apiError } from '../../../errors/api-error.js';
import { sendReply } from '../responses/send.js';
import type { KalendsRequest } from '../request.js';
import { routeEntry } from '../routing/route-descriptions.js';
import type { Route } from '../operation.js';
import { RouteTable } from '../routing/route-table.js';
import type { Stage } from './stage.js';

/** Escapes of slash and NUL, which no path of the interface contains. */
const REJECTED_ESCAPES = /%(2f|00)/i;

/**
 * Decides between 404, 405 and a controller. Handlers are found by the template of their route, whatever the mount.
 * POST and PUT of an update become PATCH, so that the three behave alike.
 */
@Injectable()
export class RouteStage implements Stage {
  constructor(private readonly routes: RouteTable) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    if (request.routePath === undefined) return outsideMounts(request);
    const { route, params } = this.find(request.routePath);
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', route.allow.join(', '));
      return sendReply(response, { body: routeEntry(route, request.apiBaseUrl, request.context) }).then(() => true);
    }
    if (!route.allow.includes(request.method)) throw methodNotAllowed(route.allow);
    request.sentMethod = request.method;
    if (isUpdate(route, request.method)) request.method = 'PATCH';
    request.matched = route;
    request.params = decoded(params);
    return false;
  }

  private find(path: string) {
    const found = isDecodable(path) ? this.routes.find(path) : undefined;
    if (found === undefined) throw apiError('rest_no_route');
    return found;
  }
}

function isUpdate({ operations }: Route, method: string): boolean {
  return (method === 'POST' || method === 'PUT') && operations.some(({ kind }) => kind === 'update');
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}

/** Pages outside the mounts only redirect, so they allow nothing but GET and HEAD. */
function outsideMounts({ method, path }: KalendsRequest): false {
  if (!isDecodable(path)) throw apiError('rest_no_route');
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
  return false;
}

function methodNotAllowed(allow: readonly string[]) {
  return apiError('rest_no_route', { status: 405, headers: { Allow: allow.join(', ') } });
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return !REJECTED_ESCAPES.test(path);
  } catch {
    return false;
  }
}
