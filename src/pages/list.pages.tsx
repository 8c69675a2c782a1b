import { Injectable } from '@nestjs/common';
import { textOfHtml } from '../kernel/text/html.js';
import type { Reply } from '../platform/http/reply.js';
import { CalendarReader, type EventQuery, LIST_SIZE } from './calendar.reader.js';
import { pathOf } from './calendar/event-facts.js';
import { dayAfter } from './calendar/formats.js';
import { monthGrid } from './calendar/grid.js';
import { subscribeLinks } from './machines/add-to-calendar.js';
import { venueLinkedData } from './machines/json-ld.js';
import { feedFilter, type FeedFilters } from './page-filters.js';
import { oneValue, pageNumber, withQuery } from './page-input.js';
import { pageReply } from './page.reply.js';
import { shortText } from './page-html.js';
import type { Visit } from './visit.js';
import { FirstRunPage } from './views/list/first-run.js';
import type { PageHead } from './views/frame.js';
import { ListPage, type ListContent } from './views/list/list.js';
import { RecordIntro } from './views/list/record-intro.js';
import { SearchForm } from './views/list/search.js';

/** A list with its words. */
interface ListOptions {
  /** The path of the page, without page number. */
  readonly path: string;
  readonly title: string;
  /** Filters beside the dates. */
  readonly query?: EventQuery;
  /** The filters of the feed. */
  readonly feed?: FeedFilters;
  readonly feedName?: string;
  /** The path of the list of past events. undefined: this is it. */
  readonly past?: string;
  readonly head?: Partial<PageHead>;
  readonly intro?: Parameters<typeof RecordIntro>[0]['record'];
}

/** The pages with lists: upcoming, past, of a category, tag, venue or organizer, and of a search. */
@Injectable()
export class ListPages {
  constructor(private readonly reader: CalendarReader) {}

  async upcoming(visit: Visit): Promise<Reply> {
    const { frame, context, request } = visit;
    pageNumber(request.queryValues.page);
    if ((await this.reader.extent(context)) === undefined)
      return pageReply(<FirstRunPage frame={frame} canonical={`${context.urls.site}/`} />, context);
    const { words } = frame;
    return this.show(visit, {
      path: '/',
      title: words.of('upcoming'),
      past: '/events/past/',
      head: { view: 'list', title: frame.siteName },
    });
  }

  past(visit: Visit): Promise<Reply> {
    return this.show(visit, { path: '/events/past/', title: visit.frame.words.of('past'), head: { view: 'list' } });
  }

  async ofTerm(visit: Visit, kind: 'category' | 'tag', isPast = false): Promise<Reply> {
    const { id, name, slug, description } = await this.reader.term(kind, visit.params.slug ?? '', visit.context);
    const [folder, parameter] =
      kind === 'category' ? (['events/category', 'categories'] as const) : (['tag', 'tags'] as const);
    const options = {
      query: { [parameter]: String(id) },
      feed: [feedFilter({ kind, id, slug })],
      feedName: name,
      head: { description: shortText(description) },
    };
    return this.ofRecord(visit, pathOf(folder, slug), name, isPast, {
      ...options,
      intro: { description: '', text: description },
    });
  }

  async ofVenue(visit: Visit, isPast = false): Promise<Reply> {
    const { context, params } = visit;
    const venue = await this.reader.venue(params.slug ?? '', context);
    const options = {
      query: { venue: [venue.id] },
      feed: [feedFilter({ ...venue, kind: 'venue' })],
      feedName: venue.venue,
      head: {
        description: shortText(textOfHtml(venue.description ?? '')),
        image: venue.image?.url,
        linkedData: venueLinkedData(venue),
      },
      intro: {
        venue,
        description: venue.description ?? '',
        phone: venue.phone,
        website: venue.website,
        image: venue.image,
      },
    };
    return this.ofRecord(visit, pathOf('venue', venue.slug), venue.venue, isPast, options);
  }

  async ofOrganizer(visit: Visit, isPast = false): Promise<Reply> {
    const { context, params } = visit;
    const {
      id,
      organizer: name,
      slug,
      description = '',
      phone,
      website,
      email,
      image,
    } = await this.reader.organizer(params.slug ?? '', context);
    const options = {
      query: { organizer: [id] },
      feed: [feedFilter({ kind: 'organizer', id, slug })],
      feedName: name,
      head: { description: shortText(textOfHtml(description)), image: image?.url },
      intro: { description, phone, website, email, image },
    };
    return this.ofRecord(visit, pathOf('organizer', slug), name, isPast, options);
  }

  async search(visit: Visit): Promise<Reply> {
    const { frame, context, request } = visit;
    const { words, today } = frame;
    const q = oneValue(request.queryValues.q);
    const isAll = oneValue(request.queryValues.past) === '1';
    const head = { title: words.of('search'), canonical: `${context.urls.site}/search/`, isIndexed: false };
    const number = pageNumber(request.queryValues.page);
    const form = (more: { count?: string; other?: string }) => (
      <SearchForm frame={frame} q={q} isAll={isAll} {...more} />
    );
    if (q.trim() === '') {
      const content = await this.around(visit, {
        title: words.of('search'),
        events: [],
        emptyText: words.of('emptySearch'),
        pager: { isPast: false },
      });
      return pageReply(
        <ListPage frame={frame} head={head} content={content}>
          {form({})}
        </ListPage>,
        context,
      );
    }
    const order = isAll
      ? { orderby: 'start_date', order: 'desc', ends_after: '1000-01-01' }
      : { ends_after: dayAfter(today, -1) };
    const { events, total } = await this.reader.list({ search: q, ...order }, number, context);
    const address = (page: number, past: boolean) =>
      withQuery(frame.link('/search/'), {
        q,
        ...(past ? { past: '1' } : {}),
        ...(page > 1 ? { page: String(page) } : {}),
      });
    const content = await this.around(visit, {
      title: words.of('search'),
      events,
      from: isAll ? undefined : today,
      withYears: true,
      emptyText: words.of('noResults'),
      pager: { ...this.pager(visit, number, total, (page) => address(page, isAll)), isPast: isAll },
    });
    const count = words.count(isAll ? 'foundAll' : 'found', total, { words: q });
    return pageReply(
      <ListPage frame={frame} head={head} content={content}>
        {form({ count, other: address(1, !isAll) })}
      </ListPage>,
      context,
    );
  }

  private ofRecord(
    visit: Visit,
    path: string,
    name: string,
    isPast: boolean,
    options: Omit<ListOptions, 'path' | 'title' | 'past'>,
  ): Promise<Reply> {
    if (!isPast) return this.show(visit, { ...options, path, title: name, past: `${path}past/` });
    const title = visit.frame.words.of('pastOf', { name });
    return this.show(visit, { ...options, path: `${path}past/`, title, intro: undefined, head: {} });
  }

  private async show(visit: Visit, options: ListOptions): Promise<Reply> {
    const { frame, context, request } = visit;
    const { words, formats, today, link } = frame;
    const { path, title, query = {}, past } = options;
    const isPast = past === undefined;
    const number = pageNumber(request.queryValues.page);
    const dates = isPast
      ? { ends_before: dayAfter(today, -1), orderby: 'start_date', order: 'desc' }
      : { ends_after: dayAfter(today, -1) };
    const { events, total } = await this.reader.list({ ...query, ...dates }, number, context);
    const hasPast = past !== undefined && (events.length > 0 || (await this.hasPast(visit, query)));
    const lead = isPast
      ? words.count('events', total)
      : words.count('eventsFrom', total, { date: formats.date(today, 'long') });
    const content = await this.around(
      visit,
      {
        title,
        lead: total === 0 ? undefined : lead,
        events,
        from: isPast ? undefined : today,
        withYears: isPast,
        past: hasPast ? link(past) : undefined,
        emptyText: words.of(isPast ? 'noPast' : 'noUpcoming'),
        pager: {
          ...this.pager(visit, number, total, (page) => withQuery(link(path), page > 1 ? { page: String(page) } : {})),
          isPast,
        },
      },
      options,
    );
    const canonical = withQuery(`${context.urls.site}${path}`, number > 1 ? { page: String(number) } : {});
    const head = { title, canonical, isIndexed: !(isPast && number > 1), ...options.head };
    return pageReply(
      <ListPage frame={frame} head={head} content={content}>
        {options.intro !== undefined && <RecordIntro frame={frame} record={options.intro} />}
      </ListPage>,
      context,
    );
  }

  private pager({ frame }: Visit, number: number, total: number, address: (page: number) => string) {
    const pages = Math.ceil(total / LIST_SIZE);
    return {
      previous: number > 1 ? address(number - 1) : undefined,
      next: number < pages ? address(number + 1) : undefined,
      place: pages > 1 ? frame.words.of('pageOf', { page: String(number), pages: String(pages) }) : undefined,
    };
  }

  private async hasPast({ frame, context }: Visit, query: EventQuery): Promise<boolean> {
    const past = { ...query, ends_before: dayAfter(frame.today, -1) };
    return (await this.reader.list(past, 1, context, 1)).total > 0;
  }

  /** Adds what stands beside every list. */
  private async around(
    { frame, context }: Visit,
    content: Omit<ListContent, 'aside' | 'subscribe'>,
    { feed = [], feedName = frame.siteName }: Pick<ListOptions, 'feed' | 'feedName'> = {},
  ): Promise<ListContent> {
    const grid = monthGrid(frame.today.slice(0, 7), frame.formats.firstWeekday);
    const aside = { grid, ...(await this.reader.aside(grid, frame.today, context)) };
    return { ...content, aside, subscribe: subscribeLinks(context.urls.feed(feed), feedName) };
  }
}
