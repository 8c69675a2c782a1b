import type { Attributes } from '@opentelemetry/api';
import type { Response } from 'express';
import type { KalendsRequest } from '../http/request.js';

/** Those that the semantic conventions for HTTP know; others are without number. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** A request that may have ended before any stage has seen it. */
export type Followed = Pick<KalendsRequest, 'method' | 'url' | 'headers'> &
  Partial<Pick<KalendsRequest, 'originalUrl' | 'root' | 'matched' | 'sentMethod'>>;

/** Method and template of the route, which only the stages find. */
export function spanName(request: Followed): string {
  const route = routeOf(request);
  const method = methodOf(request);
  const named = METHODS.includes(method) ? method : 'HTTP';
  return route === undefined ? named : `${named} ${route}`;
}

/** What a request is, by the semantic conventions for HTTP: never its query, in which there may be secrets. */
export function requestAttributes(request: Followed): Attributes {
  const method = methodOf(request);
  const route = routeOf(request);
  return {
    'http.request.method': METHODS.includes(method) ? method : '_OTHER',
    ...(route === undefined ? {} : { 'http.route': route }),
    'url.path': (request.originalUrl ?? request.url).split('?', 1)[0] ?? '',
    ...(request.root === undefined ? {} : { 'url.scheme': request.root.origin.split(':', 1)[0] }),
  };
}

export function responseAttributes(response: Response): Attributes {
  const requestId = response.getHeader('X-Request-Id');
  return {
    ...(typeof requestId === 'string' ? { 'http.response.header.x-request-id': [requestId] } : {}),
    ...(response.writableFinished
      ? { 'http.response.status_code': response.statusCode }
      : // The client went away, or the connection was cut.
        { 'error.type': 'aborted' }),
    ...(response.statusCode >= 500 ? { 'error.type': String(response.statusCode) } : {}),
  };
}

/** Updates are one method for the router. */
function methodOf({ sentMethod, method }: Followed): string {
  return sentMethod ?? method;
}

function routeOf({ matched }: Followed): string | undefined {
  return matched?.template;
}
