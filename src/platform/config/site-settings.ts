import { withoutEndSlashes } from '../../kernel/end-slashes.js';
import { parseTimeZone } from '../../kernel/time-zone.js';
import type { Environment } from './environment.js';

/** The settings that answers depend on, ready for use. */
export class SiteSettings {
  readonly timeZone: string;
  readonly maxPerPage: number;
  readonly currency: { readonly symbol: string; readonly code: string; readonly position: 'prefix' | 'postfix' };
  /** Host (without port) and path for `global_id`, never taken from a request (contract section 1). */
  readonly globalIdBase: string;
  /** Base of the human pages, if it is configured. */
  readonly siteUrl: string | undefined;

  constructor(environment: Environment) {
    this.timeZone = parseTimeZone(environment.SITE_TIMEZONE) ?? 'UTC';
    this.maxPerPage = environment.MAX_PER_PAGE;
    this.currency = {
      symbol: environment.CURRENCY_SYMBOL,
      code: environment.CURRENCY_CODE,
      position: environment.CURRENCY_POSITION,
    };
    this.siteUrl = environment.SITE_URL ?? environment.PUBLIC_URL;
    this.globalIdBase = this.siteUrl === undefined ? 'localhost' : hostAndPath(new URL(this.siteUrl));
  }
}

function hostAndPath(url: URL): string {
  return withoutEndSlashes(url.hostname + url.pathname);
}
