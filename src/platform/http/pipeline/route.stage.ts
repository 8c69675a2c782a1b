import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { apiError } from '../../../errors/api-error.js';
import { sendAnswer } from '../responses/send.js';
import type { KalendsRequest } from '../request.js';
import { routeEntry } from '../routing/route-descriptions.js';
import type { Route } from '../operation.js';
import { RouteTable } from '../routing/route-table.js';
import type { Stage } from './stage.js';

/** Escapes that never belong to a path of ours: they would become a slash or a NUL. */
const REFUSED_ESCAPES = /%(2f|00)/i;

/**
 * Decides between 404, 405 and a controller. A handler is found by the template of its route, whatever the mount, and the
 * three verbs of an update arrive there as one, so that they can never differ.
 */
@Injectable()
export class RouteStage implements Stage {
  constructor(private readonly routes: RouteTable) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    if (request.routePath === undefined) return outsideMounts(request);
    const { route, params } = this.find(request.routePath);
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', route.allow.join(', '));
      return sendAnswer(response, { body: routeEntry(route, request.root, request.context) }).then(() => true);
    }
    if (!route.allow.includes(request.method)) throw wrongMethod(route.allow);
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

/** The site's addresses lead elsewhere: they can be followed, and nothing else. */
function outsideMounts({ method, path }: KalendsRequest): false {
  if (!isDecodable(path)) throw apiError('rest_no_route');
  if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
  return false;
}

function wrongMethod(allow: readonly string[]) {
  return apiError('rest_no_route', { status: 405, headers: { Allow: allow.join(', ') } });
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return !REFUSED_ESCAPES.test(path);
  } catch {
    return false;
  }
}
