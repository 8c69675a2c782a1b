import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { NAMESPACE } from '../../../config/mounts.js';
import { type MatchedRoute, type Operation, operationOf, type Route, VERBS } from '../operation.js';

/** A route and the parameters of a path that it matches, percent-encoded. */
interface Match {
  readonly route: MatchedRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** All routes below the mounts, read from the controllers: what decides 404 and 405, and what the index lists. */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private routes: readonly MatchedRoute[] = [];
  /** Routes without parameters, by their path. */
  private fixed: ReadonlyMap<string, Match> = new Map();
  private open: readonly MatchedRoute[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    const controllers = this.discovery.getControllers();
    this.routes = routesOf(controllers.map(({ metatype }) => metatype as new () => object));
    this.open = this.routes.filter(({ path }) => path.includes(':'));
    const fixed = this.routes.filter(({ path }) => !path.includes(':'));
    this.fixed = new Map(fixed.map((route) => [route.path, { route, params: {} }]));
  }

  all(): readonly Route[] {
    return this.routes;
  }

  /** The route of a path below the mount, still percent-encoded and without trailing slash. */
  find(path: string): Match | undefined {
    const fixed = this.fixed.get(path);
    if (fixed !== undefined) return fixed;
    for (const route of this.open) {
      const found = route.pattern.exec(path);
      if (found !== null) return { route, params: found.groups ?? {} };
    }
    return undefined;
  }
}

/** The routes of controllers, in the order of the index. */
export function routesOf(controllers: readonly (new () => object)[]): readonly MatchedRoute[] {
  const operations = new Map<string, Operation[]>();
  for (const [path, operation] of controllers.flatMap((controller) => [...operationsOf(controller)])) {
    operations.set(path, [...(operations.get(path) ?? []), operation]);
  }
  return [...operations].map(([path, ops]) => toRoute(path, ops)).sort((a, b) => inOrder(a.path, b.path));
}

/** Where a route stands in the index (contract 13.4); those of extensions come last, as their modules do. */
const ORDER = ['', 'doc', 'events', 'venues', 'organizers', 'categories', 'tags'];
const WITHIN = ['', ':id', 'by-slug/:slug'];

function inOrder(one: string, other: string): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a.collection - b.collection || a.within - b.within;
}

function placeOf(path: string): { collection: number; within: number } {
  const [, collection = '', rest = ''] = /^\/?([^/]*)\/?([^]*)$/.exec(path) ?? [];
  return { collection: place(ORDER, collection), within: place(WITHIN, rest) };
}

function place(order: readonly string[], name: string): number {
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
  // The index tells of reading first, then of creating, of updating and of deleting.
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
