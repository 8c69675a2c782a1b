import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import { Database } from '../database/database.js';
import { cachedValue } from '../database/cache/read-cache.js';
import { CategoryParams } from '../categories/category.dto.js';
import { EventParams } from '../events/event.params.js';
import type { EventResponse } from '../events/event.response.js';
import { EventsService } from '../events/events.service.js';
import { ApiError, apiError } from '../errors/api-error.js';
import { bySlug } from '../kernel/id-or-slug.js';
import { lookupSlug } from '../kernel/text/slug.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import type { OrganizerResponse } from '../organizers/organizer.response.js';
import { readInput } from '../platform/http/fields/input.js';
import type { Reply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { TagsService } from '../tags/tags.service.js';
import type { TermResponse } from '../terms/term.response.js';
import { VenuesService } from '../venues/venues.service.js';
import type { VenueResponse } from '../venues/venue.response.js';
import { type SpannedEvent, withDays } from './calendar/event-facts.js';
import { type Day, dayAfter, dayOf } from './calendar/formats.js';
import type { MonthGrid } from './calendar/grid.js';
import { firstDayOf, lastDayOf } from './calendar/when.js';

/** Events on a page of a list. */
export const LIST_SIZE = 20;
/** Events of a month or a day at most: rendering more would keep the event loop too long (pages P10). */
export const MAX_SHOWN = 500;
const READ_SIZE = 100;
const ASIDE_CATEGORIES = 12;
/** How long before a month an event may have begun to make its days bold in the small month. Limits the events read. */
const BUSY_DAYS_BEFORE = 100;

export type FilterKind = 'category' | 'tag' | 'venue' | 'organizer';

/** A category, tag, venue or organizer to which a page is limited. */
export interface PageFilter {
  readonly kind: FilterKind;
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** Parameters of GET /events (contract 10.1). */
export type EventQuery = Readonly<Record<string, unknown>>;

export interface Listed {
  readonly events: readonly SpannedEvent[];
  readonly total: number;
}

/** Reads for the pages, by the services, as an anonymous caller. */
@Injectable()
export class CalendarReader {
  constructor(
    private readonly database: Database,
    private readonly events: EventsService,
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {}

  /** Returns a page of a list, in the order of start. Throws 400 and 404 as GET /events does. */
  async list(query: EventQuery, number: number, context: RequestContext, size = LIST_SIZE): Promise<Listed> {
    const input = readInput(EventParams, 'filter', { ...query });
    const { items, total } = await this.events.find(input, { number, size }, context);
    return { events: ordered(items, query.order === 'desc'), total };
  }

  /** Returns the first events of a list, of at most MAX_SHOWN, read in parts. */
  async all(query: EventQuery, context: RequestContext): Promise<Listed> {
    const events: SpannedEvent[] = [];
    for (let number = 1; ; number += 1) {
      const { events: found, total } = await this.list(query, number, context, READ_SIZE);
      events.push(...found);
      if (found.length < READ_SIZE || events.length >= Math.min(total, MAX_SHOWN))
        return { events: ordered(events, false), total };
      // With SQLite nothing else would give other requests a turn.
      await nextTurn();
    }
  }

  /** Returns the first day of the list's next event, or undefined. */
  async firstDay(query: EventQuery, context: RequestContext): Promise<Day | undefined> {
    const [span] = await this.events.spans(readInput(EventParams, 'filter', { ...query }), 1, context);
    return span && dayOf(span.start_local);
  }

  /** Returns the last day of the events that began last before a day. */
  async lastDay(query: EventQuery, context: RequestContext): Promise<Day | undefined> {
    const input = readInput(EventParams, 'filter', { ...query, orderby: 'start_date', order: 'desc' });
    const spans = await this.events.spans(input, LIST_SIZE, context);
    return spans
      .map(daysOf)
      .reduce<Day | undefined>((last, { to }) => (last === undefined || to > last ? to : last), undefined);
  }

  extent(context: RequestContext) {
    return this.events.extent(context);
  }

  /** Returns an event with its neighbours. Everything that is not public is unknown (pages P4.6). */
  async event(slug: string, password: string | undefined, context: RequestContext) {
    const shown = await known(this.events.readShown(bySlug(lookupSlug(slug)), password, context));
    return { ...shown, event: withDays(shown.event) };
  }

  /** Returns the events with a parent, in the order of start. */
  async children({ id }: EventResponse, context: RequestContext): Promise<Listed> {
    return this.list({ post_parent: id, ends_after: '1000-01-01', order: 'asc' }, 1, context, READ_SIZE);
  }

  /** Returns an event by id as a list shows it, if a list has it. */
  async listedEvent(id: number, context: RequestContext): Promise<SpannedEvent | undefined> {
    return (await this.list({ include: [id] }, 1, context)).events[0];
  }

  venue(slug: string, context: RequestContext): Promise<VenueResponse> {
    return known(this.venues.read(bySlug(lookupSlug(slug)), context)).then(bodyOf<VenueResponse>);
  }

  organizer(slug: string, context: RequestContext): Promise<OrganizerResponse> {
    return known(this.organizers.read(bySlug(lookupSlug(slug)), context)).then(bodyOf<OrganizerResponse>);
  }

  async term(kind: 'category' | 'tag', slug: string, context: RequestContext): Promise<TermResponse> {
    const terms = kind === 'category' ? this.categories : this.tags;
    const id = await known(terms.getIdBySlug(lookupSlug(slug)));
    return bodyOf<TermResponse>(await terms.read(id, context));
  }

  async filter(kind: FilterKind, slug: string, context: RequestContext): Promise<PageFilter> {
    if (kind === 'venue') {
      const { id, venue: name, slug: own } = await this.venue(slug, context);
      return { kind, id, slug: own, name };
    }
    if (kind === 'organizer') {
      const { id, organizer: name, slug: own } = await this.organizer(slug, context);
      return { kind, id, slug: own, name };
    }
    const { id, name, slug: own } = await this.term(kind, slug, context);
    return { kind, id, slug: own, name };
  }

  /** Returns all used categories, by name. */
  async allCategories(context: RequestContext): Promise<TermResponse[]> {
    const found: TermResponse[] = [];
    for (let page = 1; ; page += 1) {
      const { categories, total } = await this.categoryPage({ page, per_page: 100, orderby: 'name' }, context);
      found.push(...categories);
      if (categories.length === 0 || found.length >= total) return found;
    }
  }

  /** Returns the days of a month with events, and the categories used most. One value of the cache, because every list has them. */
  async aside({ firstDay, lastDay, month }: MonthGrid, today: Day, context: RequestContext) {
    const sql = await this.database.cachedReads(context);
    const load = async () => {
      const { categories } = await this.categoryPage(
        { per_page: ASIDE_CATEGORIES, orderby: 'count', order: 'desc' },
        context,
      );
      const busy = await this.busyDays(`${month}-01`, firstDay, lastDay, context);
      return JSON.stringify({ busy, categories: categories.map(({ name, slug }) => ({ name, slug })) });
    };
    const json = (await cachedValue<string>(sql, `aside ${month} ${today}`, load)) as string;
    const { busy, categories } = JSON.parse(json) as { busy: Day[]; categories: { name: string; slug: string }[] };
    return { busy: new Set(busy), categories };
  }

  private async busyDays(first: Day, gridFirst: Day, last: Day, context: RequestContext): Promise<Day[]> {
    const query = {
      starts_after: dayAfter(first, -BUSY_DAYS_BEFORE),
      starts_before: last,
      ends_after: dayAfter(gridFirst, -2),
    };
    const spans = await this.events.spans(readInput(EventParams, 'filter', query), MAX_SHOWN, context);
    const days = new Set<Day>();
    for (const { from, to } of spans.map(daysOf)) {
      for (let day = from < gridFirst ? gridFirst : from; day <= to && day <= last; day = dayAfter(day)) days.add(day);
    }
    return [...days];
  }

  private async categoryPage(query: EventQuery, context: RequestContext) {
    const reply = await this.categories.list(readInput(CategoryParams, 'filter', { ...query }), context);
    return reply.body as { categories: TermResponse[]; total: number };
  }
}

function bodyOf<Body>({ body }: Reply): Body {
  return body as Body;
}

/** Tells no more than that there is nothing: a page of a hidden record is one of an unknown one (pages P4.6). */
async function known<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && [403, 404, 410].includes(error.getStatus())) throw apiError('rest_no_route');
    throw error;
  }
}

/** By wall time, because events are shown in their own zones (pages P3.5). */
function ordered(items: readonly EventResponse[], isDescending: boolean): SpannedEvent[] {
  const sign = isDescending ? -1 : 1;
  const compare = (a: SpannedEvent, b: SpannedEvent) =>
    sign * (order(a.start_date, b.start_date) || order(a.utc_start_date, b.utc_start_date)) || a.id - b.id;
  return items.map(withDays).toSorted(compare);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function daysOf(span: {
  start_local: string;
  end_local: string;
  start_utc: string;
  end_utc: string;
  timezone: string;
}) {
  const times = {
    start_date: span.start_local,
    end_date: span.end_local,
    utc_start_date: span.start_utc,
    utc_end_date: span.end_utc,
    timezone: span.timezone,
    all_day: null,
  };
  return { from: firstDayOf(times), to: lastDayOf(times) };
}
