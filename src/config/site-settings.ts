import { withoutEndSlashes } from '../kernel/text/url.js';
import { parseTimeZone } from '../kernel/time/time-zone.js';
import type { Environment } from './environment.js';

/** The settings on which responses depend, parsed. */
export class SiteSettings {
  readonly timeZone: string;
  readonly maxPerPage: number;
  /** Maximum size of a description or an excerpt as JSON (contract 3). */
  readonly maxTextBytes: number;
  readonly currency: { readonly symbol: string; readonly code: string; readonly position: 'prefix' | 'postfix' };
  /** Name of the calendar, for people and programs. */
  readonly name: string;
  readonly feed: {
    /** How far the default window of the feed reaches into the past. */
    readonly pastDays: number;
    readonly maxEvents: number;
    /** How often subscribers should ask, as a duration of RFC 5545. */
    readonly refresh: string;
  };
  /** 12 hexadecimal digits from the database. Empty until connector.ts has opened it. */
  instance = '';
  /** Base URL of the website, if configured. */
  readonly siteUrl: string | undefined;
  /** Whether SITE_URL names a website, which has the pages for people. */
  readonly hasWebsite: boolean;
  private readonly hostAndPath: string | undefined;

  constructor(environment: Environment) {
    this.timeZone = parseTimeZone(environment.SITE_TIMEZONE) ?? 'UTC';
    this.maxPerPage = environment.MAX_PER_PAGE;
    this.maxTextBytes = environment.MAX_TEXT_BYTES;
    this.currency = {
      symbol: environment.CURRENCY_SYMBOL,
      code: environment.CURRENCY_CODE,
      position: environment.CURRENCY_POSITION,
    };
    this.feed = {
      pastDays: environment.ICAL_PAST,
      maxEvents: environment.ICAL_MOST,
      refresh: environment.ICAL_REFRESH,
    };
    this.hasWebsite = environment.SITE_URL !== undefined;
    this.siteUrl = environment.SITE_URL ?? environment.PUBLIC_URL;
    this.name = environment.SITE_NAME ?? (this.siteUrl === undefined ? 'Kalends' : new URL(this.siteUrl).hostname);
    this.hostAndPath = this.siteUrl === undefined ? undefined : hostAndPath(new URL(this.siteUrl));
  }

  /** The start of each `global_id`: a host without port and a path, never those of a request (contract section 1). */
  get globalIdBase(): string {
    return this.hostAndPath ?? `${this.instance}.kalends`;
  }
}

function hostAndPath(url: URL): string {
  return withoutEndSlashes(url.hostname + url.pathname);
}
