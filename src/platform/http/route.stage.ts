import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { apiError } from '../errors/api-error.js';
import { sendAnswer } from './send.js';
import { NAMESPACE } from './mounts.js';
import type { KalendsRequest } from './request.js';
import { routeEntry } from './route-index.js';
import { type Route, RouteTable } from './route-table.js';
import type { Stage } from './stage.js';

/** Escapes that never belong to a path of ours: they would become a slash or a NUL. */
const REFUSED_ESCAPES = /%(2f|00)/i;

/**
 * Decides between 404, 405 and a controller. What is handed to the router lies on the canonical mount, and the three
 * verbs of an update arrive there as one, so that they can never differ.
 */
@Injectable()
export class RouteStage implements Stage {
  constructor(private readonly routes: RouteTable) {}

  handle(request: KalendsRequest, response: Response): boolean {
    if (request.routePath === undefined) return outsideMounts(request);
    const route = this.find(request.routePath);
    const allow = [...route.methods.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])), 'OPTIONS'];
    if (request.method === 'OPTIONS') {
      response.set('Allow', allow.join(', '));
      sendAnswer(response, { body: routeEntry(route, request.root, request.context) });
      return true;
    }
    if (!allow.includes(request.method)) {
      throw wrongMethod(allow);
    }
    request.sentMethod = request.method;
    const updates = route.operations.some(({ kind }) => kind === 'update');
    if (updates && ['POST', 'PUT'].includes(request.method)) request.method = 'PATCH';
    request.matched = route;
    request.url = `/${NAMESPACE}${request.routePath}`;
    return false;
  }

  private find(path: string): Route {
    const route = isDecodable(path) ? this.routes.find(path) : undefined;
    if (route === undefined) throw apiError('rest_no_route');
    return route;
  }
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
  try {
    decodeURIComponent(path);
    return !REFUSED_ESCAPES.test(path);
  } catch {
    return false;
  }
}
