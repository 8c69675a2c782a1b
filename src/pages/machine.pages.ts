import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiError } from '../errors/api-error.js';
import type { Reply } from '../platform/http/reply.js';
import { CalendarReader, type EventQuery } from './calendar.reader.js';
import { pathOf } from './calendar/event-facts.js';
import { dayAfter } from './calendar/formats.js';
import { isMonth, monthAfter } from './calendar/grid.js';
import { atomFeed } from './machines/atom.js';
import { type IndexedPage, openSearch, robots, sitemap, sitemapIndex } from './machines/sitemap.js';
import { PageFilters } from './page-filters.js';
import { textReply } from './page.reply.js';
import type { Visit } from './visit.js';

const ATOM_ENTRIES = 50;
/** Events in a file of the sitemap, read in parts. */
const PART_READS = 10;
const READ_SIZE = 100;
const PART_SIZE = PART_READS * READ_SIZE;
const MAX_PARTS = 50;
/** For how long after its end an event stays in the sitemap. */
const PAST_DAYS = 365;

const XML = 'application/xml; charset=UTF-8';

/** What programs read of the site: Atom, sitemaps, rules for crawlers. */
@Injectable()
export class MachinePages {
  constructor(
    private readonly reader: CalendarReader,
    private readonly filters: PageFilters,
  ) {}

  async atom(visit: Visit): Promise<Reply> {
    const { frame, context } = visit;
    const { all, query, search } = await this.filters.of(visit);
    const newest = { ...query, ends_after: dayAfter(frame.today, -1), orderby: 'date', order: 'desc' };
    const { events } = await this.reader.list(newest, 1, context, ATOM_ENTRIES);
    const byDate = events.toSorted((a, b) =>
      a.date_utc === b.date_utc ? b.id - a.id : a.date_utc < b.date_utc ? 1 : -1,
    );
    const { site } = context.urls;
    const title = [frame.siteName, ...all.map(({ name }) => name)].join(': ');
    const addresses = { self: `${site}/events.atom${search}`, home: `${site}/`, title };
    return textReply('application/atom+xml; charset=UTF-8', atomFeed(byDate, addresses, frame, context), context);
  }

  async sitemap({ frame, context }: Visit): Promise<Reply> {
    const { total } = await this.reader.list(recent(frame.today), 1, context, 1);
    const parts = Math.min(MAX_PARTS, Math.ceil(total / PART_SIZE));
    const urls = Array.from({ length: parts + 1 }, (_, part) => `${context.urls.site}/sitemap/${part}.xml`);
    return textReply(XML, sitemapIndex(urls), context);
  }

  async sitemapPart(visit: Visit): Promise<Reply> {
    const part = Number(visit.params.part);
    const pages = part === 0 ? await this.overviews(visit) : await this.events(visit, part);
    return textReply(XML, sitemap(pages), visit.context);
  }

  robots({ context, request }: Visit): Reply {
    return textReply('text/plain; charset=UTF-8', robots(context.urls.site, request.apiBaseUrl.isCacheable), context);
  }

  openSearch({ frame, context }: Visit): Reply {
    const { words, siteName } = frame;
    const xml = openSearch(context.urls.site, siteName, `${siteName}: ${words.of('searchEvents')}`);
    return textReply('application/opensearchdescription+xml; charset=UTF-8', xml, context);
  }

  /** Returns the list, the months with events from the last one to two years ahead, and the used categories. */
  private async overviews({ frame, context }: Visit): Promise<IndexedPage[]> {
    const { site } = context.urls;
    const months: IndexedPage[] = [];
    for (let ahead = -1; ahead <= 24; ahead += 1) {
      const month = monthAfter(frame.today.slice(0, 7), ahead);
      const next = monthAfter(month);
      if (!isMonth(next)) break;
      const within = { starts_after: dayAfter(`${month}-01`, -1), starts_before: dayAfter(`${next}-01`, -1) };
      if ((await this.reader.firstDay(within, context)) !== undefined)
        months.push({ url: `${site}/events/month/${month}/` });
    }
    const categories = await this.reader.allCategories(context);
    return [
      { url: `${site}/` },
      ...months,
      ...categories.map(({ slug }) => ({ url: `${site}${pathOf('events/category', slug)}` })),
    ];
  }

  private async events({ frame, context }: Visit, part: number): Promise<IndexedPage[]> {
    if (part > MAX_PARTS) throw apiError('rest_no_route');
    const pages: IndexedPage[] = [];
    for (let read = 0; read < PART_READS; read += 1) {
      const number = (part - 1) * PART_READS + read + 1;
      const query = { ...recent(frame.today), orderby: 'id', order: 'asc' };
      const { events } = await this.reader.list(query, number, context, READ_SIZE).catch(endOfList);
      if (read === 0 && events.length === 0) throw apiError('rest_no_route');
      // Protected events are blanked: their `all_day` is null.
      const open = events.filter(({ all_day }) => all_day !== null).toSorted((a, b) => a.id - b.id);
      pages.push(...open.map(({ url, modified_utc }) => ({ url, modifiedUtc: modified_utc })));
      if (events.length < READ_SIZE) break;
      await nextTurn();
    }
    return pages;
  }
}

function recent(today: string): EventQuery {
  return { ends_after: dayAfter(today, -PAST_DAYS) };
}

/** A list may end with a full page. */
function endOfList(error: unknown): { readonly events: readonly never[] } {
  if ((error as { code?: string }).code === 'event-archive-page-not-found') return { events: [] };
  throw error;
}
