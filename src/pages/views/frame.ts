import type { Formats, Day } from '../calendar/formats.js';
import type { Words } from '../words.js';

/** A link that stands on every page. */
export interface NamedLink {
  readonly name: string;
  readonly href: string;
}

/** What every view needs of the site and of the request. All `href`s begin with the gateway's prefix. */
export interface Frame {
  readonly words: Words;
  readonly formats: Formats;
  readonly siteName: string;
  readonly siteZone: string;
  /** The day of the request in the zone of the site. */
  readonly today: Day;
  /** Returns the link of a page, in the language of the request: `/site/de/events/month/`. */
  readonly link: (path: string) => string;
  /** Returns the link of a file, which has no language. */
  readonly file: (path: string) => string;
  readonly css: readonly string[];
  readonly logo: string | undefined;
  readonly isNameShown: boolean;
  readonly siteLinks: readonly NamedLink[];
  /** The same page in the other languages. */
  readonly languages: readonly (NamedLink & { readonly code: string; readonly isCurrent: boolean })[];
  readonly docs: string;
  readonly atom: string;
  /** Whether there are iCalendar feeds. */
  readonly hasFeeds: boolean;
}

/** What the head of a page says about it. */
export interface PageHead {
  /** Without the name of the site. */
  readonly title: string;
  /** The page's own URL, without a language. */
  readonly canonical: string;
  readonly description?: string;
  readonly image?: string;
  /** The type in OpenGraph. */
  readonly isArticle?: boolean;
  readonly isIndexed?: boolean;
  readonly alternates?: readonly { readonly type: string; readonly href: string; readonly title?: string }[];
  /** JSON-LD. */
  readonly linkedData?: object;
  /** The address in the header that the page belongs to. */
  readonly view?: 'list' | 'month';
}
