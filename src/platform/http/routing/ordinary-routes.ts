import { pathToRegexp } from 'path-to-regexp';
import { isBelow, NAMESPACE } from '../../../config/mounts.js';
import type { MatchedRoute } from '../operation.js';
import type { DeclaredRoute } from './unreachable-routes.js';

const MOUNTED = `/${NAMESPACE}`;
/** Methods of a handler for all methods (`@All()`), in the order of `Allow`. */
const ALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface OrdinaryRoute extends MatchedRoute {
  /** Methods with a handler. */
  readonly methods: string[];
}

/**
 * Routes of controllers without our decorators, as Nest registers them. Express calls their handlers; this list answers
 * which paths and methods exist. A path that begins with the namespace is served below every mount, any other at the root
 * of the host. Paths are compared case-sensitively; a trailing slash is ignored.
 */
export class OrdinaryRoutes {
  /** The handlers in the order of their registration. */
  readonly declared: DeclaredRoute[] = [];
  private readonly mounted: OrdinaryRoute[] = [];
  private readonly outside: OrdinaryRoute[] = [];
  /** Whether a module has registered Express middleware. */
  hasMiddleware = false;
  /** Returns whether modules have guards or interceptors for all routes. */
  hasGlobalEnhancers: () => boolean = () => false;
  /** Returns what a program has given to `app.setGlobalPrefix`. */
  globalPrefix: () => string = () => '';

  /** Adds a handler. `path`: a pattern of Express, such as `/rooms/:id`. `method`: `ALL` for every method. */
  add(method: string, path: string): void {
    const isMounted = isBelow(path, MOUNTED);
    const routes = isMounted ? this.mounted : this.outside;
    const relative = isMounted ? path.slice(MOUNTED.length) : path;
    let route = routes.find((known) => known.path === relative);
    if (route === undefined) routes.push((route = ordinaryRoute(relative, path, isMounted ? ['OPTIONS'] : [])));
    const added = method === 'ALL' ? ALL_METHODS : [method];
    this.declared.push({ methods: added, path });
    route.methods.push(...added.filter((verb) => !route.methods.includes(verb)));
  }

  /** Returns the routes below the mounts, for the index and the OpenAPI document. */
  get all(): readonly MatchedRoute[] {
    return this.mounted;
  }

  /**
   * Returns the route for a path below the mounts, or outside of them. Several patterns may match the path: the result
   * allows the methods of all.
   */
  find(path: string, method: string, where: 'mounted' | 'outside'): MatchedRoute | undefined {
    const found = this[where].filter(({ pattern }) => pattern.test(path));
    const [first] = found;
    if (first === undefined) return undefined;
    const route = found.find(({ methods }) => methods.includes(method === 'HEAD' ? 'GET' : method)) ?? first;
    return found.length === 1 ? route : { ...route, allow: [...new Set(found.flatMap(({ allow }) => allow))] };
  }
}

/** `always`: methods that the service answers itself. */
function ordinaryRoute(path: string, template: string, always: readonly string[]): OrdinaryRoute {
  const methods: string[] = [];
  return {
    path,
    template,
    methods,
    operations: [],
    describes: false,
    isOrdinary: true,
    pattern: pathToRegexp(path === '' ? '/' : path, { sensitive: true }).regexp,
    get allow() {
      const sent = methods.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
      return [...new Set([...sent, ...always])];
    },
  };
}
