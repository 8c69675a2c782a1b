import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { Environment } from '../../../config/environment.js';
import { isBelow, Mounts, NAMESPACE } from '../../../config/mounts.js';
import { OrdinaryRoutes } from './ordinary-routes.js';
import { type FoundPath, SitePaths } from './site-paths.js';
import { rejectUnreachable } from './unreachable-routes.js';
import { type Amendment, type MatchedRoute, type Operation, operationOf, type Route, VERBS } from '../operation.js';

/** Escapes of slash and NUL, which no path contains. */
const REJECTED_ESCAPES = /%(2f|00)/i;

/** A matched route and, of our own routes, its path parameters, percent-encoded. */
export interface Match {
  readonly route: MatchedRoute;
  readonly params: Readonly<Record<string, string>>;
  /** Set for a path of the website. */
  readonly page?: FoundPath;
}

/** All routes: ours below the mounts, read from the controllers, and ordinary ones. Used for 404, 405 and the index. */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private routes: readonly MatchedRoute[] = [];
  /** Routes without path parameters, by path. */
  private fixedRoutes: ReadonlyMap<string, Match> = new Map();
  private parameterRoutes: readonly MatchedRoute[] = [];
  private ordinary = new OrdinaryRoutes();
  private readonly amendments: Amendment[] = [];
  private hasGlobalEnhancers = false;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly sitePaths: SitePaths,
    private readonly environment: Environment,
  ) {}

  /** Throws for routes that can never be reached, which stops the start. */
  onApplicationBootstrap(): void {
    const prefix = this.ordinary.globalPrefix();
    if (prefix !== '') throw new Error(`setGlobalPrefix('${prefix}') hides all routes. Set BASE_PATH instead.`);
    // Nest has bound them to the handlers by now, so later ones have no effect.
    this.hasGlobalEnhancers = this.ordinary.hasGlobalEnhancers();
    const controllers = this.discovery.getControllers();
    this.routes = routesOf(
      controllers.map(({ metatype }) => metatype as new () => object),
      this.amendments,
    );
    // `by-slug/:slug.ics` comes before `by-slug/:slug`, which would match its paths.
    this.parameterRoutes = this.routes
      .filter(({ path }) => path.includes(':'))
      .toSorted((a, b) => Number(endsInParameter(a)) - Number(endsInParameter(b)));
    const fixed = this.routes.filter(({ path }) => !path.includes(':'));
    this.fixedRoutes = new Map(fixed.map((route) => [route.path, { route, params: {} }]));
    const isTaken = (path: string, method: string) => this.findOwn(path)?.route.allow.includes(method) === true;
    rejectUnreachable(this.ordinary.declared, new Mounts(this.environment), isTaken);
  }

  /** Sets the routes of controllers without our decorators. */
  useOrdinary(routes: OrdinaryRoutes): void {
    this.ordinary = routes;
  }

  /** Changes operations of this application. For providers in `onModuleInit`. */
  amend(amendment: Amendment): void {
    this.amendments.push(amendment);
  }

  /** Returns the routes below the mounts. */
  all(): readonly Route[] {
    return [...this.routes, ...this.ordinary.all];
  }

  /** Finds the route of a request by its path. If the path has several, prefers one with the method. */
  find({ method, path, routePath }: RequestTarget): Match | undefined {
    if (!isServable(path)) return undefined;
    // A route of a module replaces a page.
    if (routePath === undefined)
      return matchOf(this.ordinary.find(path, method, 'outside')) ?? this.sitePaths.find(path);
    const own = this.findOwn(routePath);
    if (own?.route.allow.includes(method)) return own;
    const ordinary = matchOf(this.ordinary.find(routePath === '' ? '/' : routePath, method, 'mounted'));
    if (own === undefined || ordinary === undefined) return own ?? ordinary;
    const allow = [...new Set([...own.route.allow, ...ordinary.route.allow])];
    const found = ordinary.route.allow.includes(method) ? ordinary : own;
    return { ...found, route: { ...found.route, allow } };
  }

  /** Whether Express has middleware of modules, which may answer paths without a route. */
  get hasMiddleware(): boolean {
    return this.ordinary.hasMiddleware;
  }

  /** Whether modules run code before our handlers, such as a global guard, so that no response may come before it. */
  get hasForeignChecks(): boolean {
    return this.ordinary.hasMiddleware || this.hasGlobalEnhancers;
  }

  private findOwn(path: string): Match | undefined {
    const fixed = this.fixedRoutes.get(path);
    if (fixed !== undefined) return fixed;
    for (const route of this.parameterRoutes) {
      const found = route.pattern.exec(path);
      if (found !== null) return { route, params: found.groups ?? {} };
    }
    return undefined;
  }
}

function endsInParameter({ path }: Route): boolean {
  return /:\w+$/.test(path);
}

/** What of a request decides on its route. */
interface RequestTarget {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** The path below the mount, without trailing slash; undefined outside the mounts. */
  readonly routePath: string | undefined;
}

function matchOf(route: MatchedRoute | undefined): Match | undefined {
  return route && { route, params: {} };
}

/** Whether a path can be decoded and contains no escape of a slash or NUL. */
export function isServable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return !REJECTED_ESCAPES.test(path);
  } catch {
    return false;
  }
}

/** Returns the routes of controllers, in the order of the index. */
export function routesOf(
  controllers: readonly (new () => object)[],
  amendments: readonly Amendment[] = [],
): readonly MatchedRoute[] {
  const operations = new Map<string, Operation[]>();
  for (const [path, declared] of controllers.flatMap((controller) => [...operationsOf(controller)])) {
    const operation = amendments.reduce((amended, amend) => amend(amended), declared);
    operations.set(path, [...(operations.get(path) ?? []), operation]);
  }
  return [...operations].map(([path, ops]) => toRoute(path, ops)).sort((a, b) => compareRoutes(a.path, b.path));
}

/** The order of routes in the index (contract 13.4). */
const COLLECTION_ORDER = ['', 'doc', 'events', 'venues', 'organizers', 'categories', 'tags'];
const PATH_ORDER = ['', ':id', 'by-slug/:slug'];
const WEBHOOKS = [
  '',
  '/:id',
  ...['rotate', 'test', 'replay', 'messages', 'messages/:message/resend'].map((rest) => `/:id/${rest}`),
].map((rest) => `/webhooks${rest}`);
/** The routes behind them (contract DOC-01). All others come last. */
const FURTHER_ORDER = ['/events.ics', '/events/:id.ics', '/events/by-slug/:slug.ics', '/changes', ...WEBHOOKS];

function compareRoutes(one: string, other: string): number {
  const [a, b] = [positionOf(one), positionOf(other)];
  return a.further - b.further || a.collection - b.collection || a.within - b.within;
}

function positionOf(path: string): { further: number; collection: number; within: number } {
  const [, first = '', rest = ''] = /^\/?([^/]*)\/?([^]*)$/.exec(path) ?? [];
  const [collection, within] = [indexIn(COLLECTION_ORDER, first), indexIn(PATH_ORDER, rest)];
  const isCore = collection < COLLECTION_ORDER.length && within < PATH_ORDER.length;
  return { further: isCore ? -1 : indexIn(FURTHER_ORDER, path), collection, within };
}

function indexIn(order: readonly string[], name: string): number {
  return order.includes(name) ? order.indexOf(name) : order.length;
}

function* operationsOf(controller: new () => object): Generator<[string, Operation]> {
  const prefix = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '').replace(/^\/|\/$/g, '');
  const prototype = controller.prototype as Record<string, object>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = prototype[name] as object;
    const operation = operationOf(handler);
    if (operation === undefined || Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.OPTIONS) continue;
    if (!isBelow(prefix, NAMESPACE)) throw new Error(`${controller.name}.${name} can never be reached: ${OUTSIDE}`);
    const path = String(Reflect.getMetadata(PATH_METADATA, handler)).replace(/^\/|\/$/g, '');
    yield [`${prefix.slice(NAMESPACE.length)}${path === '' ? '' : `/${path}`}`, operation];
  }
}

const OUTSIDE = `use @ResourceController(), or begin the path of its controller with ${NAMESPACE}.`;

/** The parameters of our routes, and what they match. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['id', '\\d+'],
  ['slug', '[^/]+'],
  ['message', '[^/]+'],
]);

function toRoute(path: string, operations: readonly Operation[]): MatchedRoute {
  // The index lists reading first, then creating, updating and deleting.
  const order = Object.keys(VERBS);
  const sorted = operations.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const pattern = path.replaceAll('.', '\\.').replace(/:(\w+)/g, (parameter, name: string) => {
    const values = PARAMETERS.get(name);
    if (values === undefined)
      throw new Error(
        `${path} can never be reached: take :id or :slug instead of ${parameter}, or an ordinary handler.`,
      );
    return `(?<${name}>${values})`;
  });
  const methods = sorted.flatMap(({ kind }) => VERBS[kind]);
  return {
    path,
    operations: sorted,
    methods,
    allow: [...methods.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])), 'OPTIONS'],
    template: `/${NAMESPACE}${path}`,
    isOrdinary: false,
    describes: operations.some(({ kind }) => kind === 'describe'),
    pattern: new RegExp(`^${pattern}$`),
  };
}
