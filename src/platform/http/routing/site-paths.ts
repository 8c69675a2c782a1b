import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import type { MatchedRoute } from '../operation.js';

/** The template of the one handler of all pages. Nest registers it last, so that routes of modules come before it. */
export const SITE_TEMPLATE = '/{*page}';

/** A path of the website outside the mounts. */
export interface SitePath {
  /** Tells its pages apart: `event`. */
  readonly name: string;
  /** Below the language prefix, with parameters and the trailing slash of the page: `/event/:slug/`. */
  readonly path: string;
  /** The known parameters of the query. Others are ignored, also by the cache. */
  readonly query?: readonly string[];
  readonly takesPost?: boolean;
  /** Whether programs that prefer JSON are redirected to the record (contract 1.1). */
  readonly redirects?: boolean;
  /** Whether it has no page, only the redirect. */
  readonly isRedirectOnly?: boolean;
}

/** A request's path of the website. */
export interface FoundPath {
  readonly site: SitePath;
  /** The language prefix of the path, if it has one. */
  readonly language: string | undefined;
  /** Below the language prefix, with the trailing slash of the page, percent-encoded. */
  readonly path: string;
  /** Whether the trailing slash is as in `SitePath.path`. */
  readonly isCanonical: boolean;
}

interface Entry {
  readonly site: SitePath;
  readonly pattern: RegExp;
  readonly route: MatchedRoute;
}

/** The paths of the website, which the module of the pages registers. The platform knows no page by itself. */
@Injectable()
export class SitePaths {
  private entries: readonly Entry[] = [];
  private readonly prefix: RegExp;

  constructor({ LANGUAGES }: Environment) {
    this.prefix = new RegExp(`^/(${LANGUAGES.join('|')})(?=/|$)`);
  }

  /** Sets the paths. For providers in `onModuleInit`. */
  register(paths: readonly SitePath[]): void {
    this.entries = paths.map((site) => ({ site, pattern: patternOf(site.path), route: routeOf(site) }));
  }

  /** Returns the language prefix of a path, if there are pages and the path begins with one. */
  languageOf(path: string): string | undefined {
    return this.hasPages ? this.prefix.exec(path)?.[1] : undefined;
  }

  get hasPages(): boolean {
    return this.entries.some(({ site }) => site.isRedirectOnly !== true);
  }

  find(
    path: string,
  ): { readonly route: MatchedRoute; readonly params: Record<string, string>; page: FoundPath } | undefined {
    const language = this.languageOf(path);
    const rest = language === undefined ? path : path.slice(language.length + 1) || '/';
    for (const { site, pattern, route } of this.entries) {
      const found = pattern.exec(rest);
      if (found === null) continue;
      const wanted = withSlashOf(site.path, rest);
      return {
        route,
        params: found.groups ?? {},
        page: { site, language, path: wanted, isCanonical: wanted === rest && path !== `/${language}` },
      };
    }
    return undefined;
  }
}

/** Matches with and without a trailing slash. */
function patternOf(path: string): RegExp {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replace(/:(\w+)(\([^)]*\))?/g, (_, name: string, of = '([^/]+)') => `(?<${name}>${String(of).slice(1, -1)})`);
  return new RegExp(`^${pattern}/?$`);
}

function withSlashOf(path: string, sent: string): string {
  const bare = sent.replace(/\/$/, '');
  return path.endsWith('/') ? `${bare}/` : bare;
}

function routeOf({ path, takesPost, isRedirectOnly }: SitePath): MatchedRoute {
  const methods = takesPost === true ? ['GET', 'POST'] : ['GET'];
  const further = isRedirectOnly === true ? [] : ['OPTIONS'];
  return {
    path,
    operations: [],
    methods,
    allow: [...methods.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])), ...further],
    template: SITE_TEMPLATE,
    isOrdinary: false,
    describes: false,
    pattern: patternOf(path),
  };
}
