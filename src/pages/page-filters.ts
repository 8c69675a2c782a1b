import { Injectable } from '@nestjs/common';
import type { Urls } from '../platform/http/base-url.js';
import { CalendarReader, type EventQuery, type FilterKind, type PageFilter } from './calendar.reader.js';
import { oneValue } from './page-input.js';
import type { Chip } from './views/calendar/chips.js';
import type { Visit } from './visit.js';

const KINDS: readonly FilterKind[] = ['category', 'tag', 'venue', 'organizer'];
/** The parameters of the API for them. */
const PARAMETERS: Readonly<Record<FilterKind, string>> = {
  category: 'categories',
  tag: 'tags',
  venue: 'venue',
  organizer: 'organizer',
};

/** Filters of the iCalendar feed, as `Urls.feed` takes them. */
export type FeedFilters = Parameters<Urls['feed']>[0];

/** The filters of a page, looked up. */
export interface FoundFilters {
  readonly all: readonly PageFilter[];
  /** The parameters of GET /events. */
  readonly query: EventQuery;
  /** The filters of the feed. */
  readonly feed: FeedFilters;
  /** `?category=music`, or '' without filters. */
  readonly search: string;
  /** Returns the filters with the addresses that remove them. */
  readonly chips: (path: string) => Chip[];
}

/** Reads the filters in the address of a page: `category`, `tag`, `venue`, `organizer`, each one slug. */
@Injectable()
export class PageFilters {
  constructor(private readonly reader: CalendarReader) {}

  /** Throws 404 for an unknown slug. */
  async of({ frame, context, request }: Visit): Promise<FoundFilters> {
    const all: PageFilter[] = [];
    for (const kind of KINDS) {
      const slug = oneValue(request.queryValues[kind]);
      if (slug !== '') all.push(await this.reader.filter(kind, slug, context));
    }
    return {
      all,
      query: Object.fromEntries(all.map(({ kind, id }) => [PARAMETERS[kind], String(id)])),
      feed: all.map(feedFilter),
      search: searchOf(all),
      chips: (path) =>
        all.map((one) => {
          const kind = frame.words.of(one.kind);
          const others = searchOf(all.filter((other) => other !== one));
          return {
            text: `${kind}: ${one.name}`,
            label: frame.words.of('removeFilter', { kind, name: one.name }),
            href: `${frame.link(path)}${others}`,
          };
        }),
    };
  }
}

/** Returns a filter of the feed: a term by its slug, unless that has only digits, which would be read as an id. */
export function feedFilter({ kind, id, slug }: Pick<PageFilter, 'kind' | 'id' | 'slug'>): FeedFilters[number] {
  const isNamed = (kind === 'category' || kind === 'tag') && !/^\d+$/.test(slug);
  return [PARAMETERS[kind], isNamed ? slug : String(id)];
}

function searchOf(filters: readonly PageFilter[]): string {
  const query = new URLSearchParams(filters.map(({ kind, slug }) => [kind, slug])).toString();
  return query === '' ? '' : `?${query}`;
}
