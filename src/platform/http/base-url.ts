import type { SiteSettings } from '../../config/site-settings.js';

/** Builds the URLs in responses (contract section 1). */
export class Urls {
  readonly apiRoot: string;
  /** Base URL of the HTML pages. */
  readonly site: string;

  constructor(
    baseUrl: BaseUrl,
    private readonly settings: SiteSettings,
  ) {
    this.apiRoot = apiRootOf(baseUrl);
    this.site = settings.siteUrl ?? baseUrl.origin;
  }

  collection(collection: string): string {
    return `${this.apiRoot}/${collection}`;
  }

  record(collection: string, id: number): string {
    return `${this.apiRoot}/${collection}/${id}`;
  }

  /** Returns the URL of the iCalendar feed of a filter: `{root}/events.ics?categories=music`. */
  feed(filters: readonly (readonly [name: string, value: string])[]): string {
    const query = new URLSearchParams(filters as [string, string][]).toString();
    return `${this.apiRoot}/events.ics${query === '' ? '' : `?${query}`}`;
  }

  /** Returns the URL of an HTML page: `{site}/venue/{slug}/`. */
  page(kind: string, slug: string): string {
    return `${this.site}/${kind}/${encodeURIComponent(slug)}/`;
  }

  /** Returns a globally unique id of a record: `example.com?id=12`, `example.com/venue?id=12`. */
  globalId(kind: string, id: number): string {
    const path = kind === 'event' ? '' : `/${kind}`;
    return `${this.settings.globalIdBase}${path}?id=${id}`;
  }
}

/** The public URL of a request's mount. All links begin with it (contract section 1). */
export interface BaseUrl {
  /** Scheme, host and gateway prefix, without trailing slash: `https://example.com/site`. */
  readonly origin: string;
  /** Language prefix and mount: `/de/calendar/events/v1`. */
  readonly mount: string;
  /** The language of descriptions in the response. */
  readonly language: string;
  /** Whether shared caches may store responses of this host (contract 5.2). */
  readonly isCacheable: boolean;
}

export function apiRootOf(baseUrl: BaseUrl): string {
  return baseUrl.origin + baseUrl.mount;
}
