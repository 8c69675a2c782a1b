import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { NAMESPACE } from '../../../config/mounts.js';
import { type MatchedRoute, type Operation, operationOf, type Route, VERBS } from '../operation.js';

/** A matched route and its path parameters, percent-encoded. */
interface Match {
  readonly route: MatchedRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** All routes below the mounts, read from the controllers. Used for 404, 405 and the index. */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private routes: readonly MatchedRoute[] = [];
  /** Routes without path parameters, by path. */
  private fixedRoutes: ReadonlyMap<string, Match> = new Map();
  private parameterRoutes: readonly MatchedRoute[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    const controllers = this.discovery.getControllers();
    this.routes = routesOf(controllers.map(({ metatype }) => metatype as new () => object));
    this.parameterRoutes = this.routes.filter(({ path }) => path.includes(':'));
    const fixed = this.routes.filter(({ path }) => !path.includes(':'));
    this.fixedRoutes = new Map(fixed.map((route) => [route.path, { route, params: {} }]));
  }

  all(): readonly Route[] {
    return this.routes;
  }

  /** Finds the route of a path below the mount, percent-encoded and without trailing slash. */
  find(path: string): Match | undefined {
    const fixed = this.fixedRoutes.get(path);
    if (fixed !== undefined) return fixed;
    for (const route of this.parameterRoutes) {
      const found = route.pattern.exec(path);
      if (found !== null) return { route, params: found.groups ?? {} };
    }
    return undefined;
  }
}

/** Returns the routes of controllers, in the order of the index. */
export function routesOf(controllers: readonly (new () => object)[]): readonly MatchedRoute[] {
  const operations = new Map<string, Operation[]>();
  for (const [path, operation] of controllers.flatMap((controller) => [...operationsOf(controller)])) {
    operations.set(path, [...(operations.get(path) ?? []), operation]);
  }
  return [...operations].map(([path, ops]) => toRoute(path, ops)).sort((a, b) => compareRoutes(a.path, b.path));
}

/** The order of routes in the index (contract 13.4). Other collections come last. */
const COLLECTION_ORDER = ['', 'doc', 'events', 'venues', 'organizers', 'categories', 'tags'];
const PATH_ORDER = ['', ':id', 'by-slug/:slug'];

function compareRoutes(one: string, other: string): number {
  const [a, b] = [positionOf(one), positionOf(other)];
  return a.collection - b.collection || a.within - b.within;
}

function positionOf(path: string): { collection: number; within: number } {
  const [, collection = '', rest = ''] = /^\/?([^/]*)\/?([^]*)$/.exec(path) ?? [];
  return { collection: indexIn(COLLECTION_ORDER, collection), within: indexIn(PATH_ORDER, rest) };
}

function indexIn(order: readonly string[], name: string): number {
  return order.includes(name) ? order.indexOf(name) : order.length;
}

function* operationsOf(controller: new () => object): Generator<[string, Operation]> {
  const prefix = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '');
  if (!prefix.startsWith(NAMESPACE)) return;
  const prototype = controller.prototype as Record<string, object>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = prototype[name] as object;
    const operation = operationOf(handler);
    if (operation === undefined || Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.OPTIONS) continue;
    const path = String(Reflect.getMetadata(PATH_METADATA, handler)).replace(/^\/|\/$/g, '');
    yield [`${prefix.slice(NAMESPACE.length)}${path === '' ? '' : `/${path}`}`, operation];
  }
}

function toRoute(path: string, operations: readonly Operation[]): MatchedRoute {
  // The index lists reading first, then creating, updating and deleting.
  const order = Object.keys(VERBS);
  const sorted = operations.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const pattern = path.replace(':id', '(?<id>\\d+)').replace(':slug', '(?<slug>[^/]+)');
  const methods = sorted.flatMap(({ kind }) => VERBS[kind]);
  return {
    path,
    operations: sorted,
    methods,
    allow: [...methods.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])), 'OPTIONS'],
    template: `/${NAMESPACE}${path}`,
    describes: operations.some(({ kind }) => kind === 'describe'),
    pattern: new RegExp(`^${pattern}$`),
  };
}
