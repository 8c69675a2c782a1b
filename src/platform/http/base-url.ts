import type { SiteSettings } from '../../config/site-settings.js';

/** The addresses that answers carry (contract section 1). */
export class Urls {
  readonly root: string;
  /** Base of the human pages. */
  readonly site: string;

  constructor(
    root: BaseUrl,
    private readonly settings: SiteSettings,
  ) {
    this.root = rootUrl(root);
    this.site = settings.siteUrl ?? root.origin;
  }

  collection(collection: string): string {
    return `${this.root}/${collection}`;
  }

  record(collection: string, id: number): string {
    return `${this.root}/${collection}/${id}`;
  }

  /** The human page: `{site}/venue/{slug}/`. */
  page(kind: string, slug: string): string {
    return `${this.site}/${kind}/${encodeURIComponent(slug)}/`;
  }

  /** What no other record of any kind, here or elsewhere, has: `example.com?id=12`, `example.com/venue?id=12`. */
  globalId(kind: string, id: number): string {
    const place = kind === 'event' ? '' : `/${kind}`;
    return `${this.settings.globalIdBase}${place}?id=${id}`;
  }
}

/** The address by which a request came: links begin with it (contract section 1). */
export interface BaseUrl {
  /** Scheme, host and gateway prefix, without trailing slash: `https://example.com/site`. */
  readonly origin: string;
  /** Language prefix and mount: `/de/calendar/events/v1`. */
  readonly mount: string;
  /** The language the answer's descriptions are in. */
  readonly language: string;
  /** Whether answers under this host may be cached by others (contract 5.2). */
  readonly cacheable: boolean;
}

export function rootUrl(root: BaseUrl): string {
  return root.origin + root.mount;
}
