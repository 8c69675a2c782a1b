import { Injectable } from '@nestjs/common';
import { apiError } from '../errors/api-error.js';
import type { Reply } from '../platform/http/reply.js';
import { CalendarReader, type EventQuery, MAX_SHOWN } from './calendar.reader.js';
import { pathOf, type SpannedEvent } from './calendar/event-facts.js';
import { type Day, dayAfter } from './calendar/formats.js';
import { isDay, isMonth, monthAfter, monthGrid } from './calendar/grid.js';
import { weekOf } from './calendar/lanes.js';
import { type FoundFilters, PageFilters } from './page-filters.js';
import { pageReply, redirectReply } from './page.reply.js';
import type { Visit } from './visit.js';
import { DayPage } from './views/calendar/day.js';
import { MonthPage } from './views/calendar/month.js';

/** The pages of months and days. */
@Injectable()
export class CalendarPages {
  constructor(
    private readonly reader: CalendarReader,
    private readonly filters: PageFilters,
  ) {}

  thisMonth({ frame }: Visit): Reply {
    return redirectReply(frame.link(`/events/month/${frame.today.slice(0, 7)}/`));
  }

  async month(visit: Visit): Promise<Reply> {
    const { frame, context, params } = visit;
    const { month = '' } = params;
    if (!isMonth(month)) throw apiError('rest_no_route');
    const filters = await this.filters.of(visit);
    const { isWithin, ...content } = await this.monthContent(visit, month, filters);
    const canonical = `${context.urls.site}/events/month/${month}/${filters.search}`;
    const head = {
      title: frame.formats.date(`${month}-01`, 'month'),
      canonical,
      view: 'month' as const,
      isIndexed: isWithin,
    };
    return pageReply(<MonthPage frame={frame} head={head} content={content} />, context);
  }

  /** Returns a month with the events that a filter leaves. */
  async monthContent(visit: Visit, month: string, filters: FoundFilters) {
    const { frame, context } = visit;
    const { words, formats } = frame;
    const grid = monthGrid(month, formats.firstWeekday);
    const { events, total } = await this.reader.all(between(grid.firstDay, grid.lastDay, filters.query), context);
    const shown = events.filter(({ firstDay, lastDay }) => firstDay <= grid.lastDay && lastDay >= grid.firstDay);
    const own = shown.filter(({ firstDay, lastDay }) => firstDay.slice(0, 7) <= month && lastDay >= `${month}-01`);
    const extent = await this.reader.extent(context);
    const months = extent && { first: extent.firstLocal.slice(0, 7), last: extent.lastLocal.slice(0, 7) };
    const isWithin = months !== undefined && month >= months.first && month <= months.last;
    const linkTo = (other: string) => {
      const isThere = months !== undefined && isMonth(other) && other >= months.first && other <= months.last;
      if (!isThere) return undefined;
      return {
        name: formats.date(`${other}-01`, 'monthName'),
        href: `${frame.link(`/events/month/${other}/`)}${filters.search}`,
      };
    };
    const empty = own.length === 0 ? await this.nextEvent(visit, month, filters.query) : undefined;
    return {
      isWithin,
      month,
      weeks: grid.weeks.map((days) => weekOf(days, shown)),
      events: own,
      previous: linkTo(monthAfter(month, -1)),
      next: linkTo(monthAfter(month, 1)),
      chips: filters.chips(visit.request.page?.path ?? ''),
      note:
        own.length === 0
          ? words.of('monthEmpty', { month: formats.date(`${month}-01`, 'month') })
          : total > MAX_SHOWN
            ? words.of('truncated', { shown: formats.number(MAX_SHOWN), total: formats.number(total) })
            : undefined,
      nextEvent: empty,
      query: filters.search,
    };
  }

  async day(visit: Visit): Promise<Reply> {
    const { frame, context, params } = visit;
    const { day = '' } = params;
    if (!isDay(day)) throw apiError('rest_no_route');
    const { words, formats } = frame;
    const filters = await this.filters.of(visit);
    const { events, total } = await this.reader.all(between(day, day, filters.query), context);
    const shown = events.filter(({ firstDay, lastDay }) => firstDay <= day && lastDay >= day);
    const linkTo = (other: Day | undefined) =>
      other === undefined
        ? undefined
        : { name: formats.date(other, 'dated'), href: `${frame.link(`/events/day/${other}/`)}${filters.search}` };
    const content = {
      day,
      events: shown,
      previous: linkTo(await this.previousDay(visit, day, shown, filters.query)),
      next: linkTo(await this.nextDay(visit, day, shown, filters.query)),
      chips: filters.chips(visit.request.page?.path ?? ''),
      note:
        total > MAX_SHOWN
          ? words.of('truncated', { shown: formats.number(MAX_SHOWN), total: formats.number(total) })
          : undefined,
    };
    const canonical = `${context.urls.site}/events/day/${day}/${filters.search}`;
    const head = { title: formats.date(day, 'full'), canonical, isIndexed: shown.length > 0 };
    return pageReply(<DayPage frame={frame} head={head} content={content} />, context);
  }

  private async nextEvent({ frame, context }: Visit, month: string, query: EventQuery) {
    const next = { ...query, starts_after: dayAfter(`${month}-01`, 27) };
    const [event] = (await this.reader.list(next, 1, context, 1)).events;
    if (event === undefined) return undefined;
    return {
      name: event.title,
      href: frame.link(pathOf('event', event.slug)),
      date: frame.formats.date(event.firstDay, 'plain'),
    };
  }

  private async previousDay({ context }: Visit, day: Day, shown: readonly SpannedEvent[], query: EventQuery) {
    if (day === '1000-01-01') return undefined;
    if (shown.some(({ firstDay }) => firstDay < day)) return dayAfter(day, -1);
    return this.reader.lastDay({ ...query, starts_before: dayAfter(day, -1) }, context);
  }

  private async nextDay({ context }: Visit, day: Day, shown: readonly SpannedEvent[], query: EventQuery) {
    if (day === '9999-12-31') return undefined;
    if (shown.some(({ lastDay }) => lastDay > day)) return dayAfter(day);
    return this.reader.firstDay({ ...query, starts_after: day }, context);
  }
}

/** Returns the parameters for events of some days by their own wall times, which other zones move by a day. */
function between(first: Day, last: Day, query: EventQuery): EventQuery {
  const before = first <= '1000-01-02' ? first : dayAfter(first, -2);
  const after = last >= '9999-12-31' ? last : dayAfter(last);
  return { ...query, ends_after: before, starts_before: after };
}
