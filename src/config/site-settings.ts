import { withoutEndSlashes } from '../kernel/text/url.js';
import { parseTimeZone } from '../kernel/time/time-zone.js';
import type { Environment } from './environment.js';

/** The settings that answers depend on, ready for use. */
export class SiteSettings {
  readonly timeZone: string;
  readonly maxPerPage: number;
  /** Of a description or an excerpt as JSON (contract 3). */
  readonly maxTextBytes: number;
  readonly currency: { readonly symbol: string; readonly code: string; readonly position: 'prefix' | 'postfix' };
  /** Of the calendar, for people and programs. */
  readonly name: string;
  /** 12 hexadecimal digits that the database brings along; known as soon as it is open (connector.ts). */
  instance = '';
  /** Base of the human pages, if it is configured. */
  readonly siteUrl: string | undefined;
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
    this.siteUrl = environment.SITE_URL ?? environment.PUBLIC_URL;
    this.name = environment.SITE_NAME ?? (this.siteUrl === undefined ? 'Kalends' : new URL(this.siteUrl).hostname);
    this.hostAndPath = this.siteUrl === undefined ? undefined : hostAndPath(new URL(this.siteUrl));
  }

  /** What each `global_id` begins with: a host (without port) and path, never those of a request (contract section 1). */
  get globalIdBase(): string {
    return this.hostAndPath ?? `${this.instance}.kalends`;
  }
}

function hostAndPath(url: URL): string {
  return withoutEndSlashes(url.hostname + url.pathname);
}
