import { Injectable } from '@nestjs/common';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Problems } from '../../errors/problems.js';
import { parseSearch, type SearchQuery } from '../../kernel/text/search-query.js';
import { nextMidnight } from '../../kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { isFixedDate, parseBound, type ParsedDate } from '../../kernel/time/date-input.js';
import { type DateParam, type DateWindow, dateWindow } from '../../kernel/time/date-window.js';
import { mayRead } from '../../kernel/visibility.js';
import type { Input } from '../../platform/http/fields/input.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { checkStatusFilter } from '../../posts/post.access.js';
import { checkDate } from '../../posts/post.publication.js';
import { findPost } from '../../posts/post.store.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import { EventListFilters } from '../hooks/list-filter.js';
import { type ByTermName, EventLinkKinds, LINKED, LINKED_NAMES, TERM_NAMES } from '../event.link-kinds.js';
import { DATE_PARAMS, type EventParams, LIST_PAST_DAYS } from '../event.params.js';
import { type EventFilter, maySeeHidden } from './filter.js';
import { venuesNear, visibleVenue } from './nearby-venues.js';

/** The tables of the records that parameters of lists name by id or slug, besides events. */
export const REFERENCED = [TABLES.terms, ...LINKED_NAMES.map((name) => LINKED[name].kind.table)];

/** Turns list parameters into a filter: parses dates, looks up references and reports problems. */
@Injectable()
export class EventFilterReader {
  constructor(
    private readonly linked: EventLinkKinds,
    private readonly listFilters: EventListFilters,
  ) {}

  /** `pastDays`: how many days before today the default window begins. */
  async read(
    sql: Sql,
    { dto: params, problems }: Input<EventParams>,
    context: RequestContext,
    pastDays = LIST_PAST_DAYS,
  ): Promise<EventFilter & LinkDates> {
    checkParams(params, problems, context);
    const window = readWindow(params, problems, context, pastDays);
    const search = readSearch(params, problems);
    const termIds: Partial<ByTermName<readonly number[]>> = {};
    for (const name of TERM_NAMES) {
      termIds[name] = await this.linked.terms[name].filterIds(sql, params[name], name, problems);
    }
    for (const name of LINKED_NAMES) {
      await this.linked.links[name].checkFilter(sql, params[name], name, context, problems);
    }
    await this.checkParent(sql, params, problems, context);
    const further = this.listFilters.isEmpty ? [] : await this.listFilters.given(sql, params, problems, context);
    const nearVenueIds = problems.isEmpty ? await venuesNear(sql, params, context) : undefined;
    return {
      params,
      start: window.start,
      end: window.end,
      effectiveDates: window.effective,
      visibleVenue: visibleVenue('v', context),
      search,
      termIds,
      nearVenueIds,
      further,
    };
  }

  private async checkParent(
    sql: Sql,
    { post_parent: id }: EventParams,
    problems: Problems,
    { caller, nowUtc }: RequestContext,
  ) {
    if (id === undefined || id === 0) return;
    const parent = await findPost<EventRow>(sql, EVENT, { id });
    if (parent !== undefined && mayRead(parent, caller, nowUtc)) return;
    problems.addUnknown('post_parent', [id]);
  }
}

interface LinkDates {
  /** The dates in links to pages (contract 9.2). */
  readonly effectiveDates: Partial<Record<string, string>>;
}

const GEOLOC_PARAMS = ['geoloc_lat', 'geoloc_lng', 'geoloc_radius'] as const;

/** Reports problems of parameters that need no lookup of records (contract 10.1). */
function checkParams(params: EventParams, problems: Problems, context: RequestContext): void {
  checkStatusFilter(params.status, context, problems);
  checkHidden(params, problems, context);
  checkGeoloc(params, problems);
}

/**
 * Returns the time until which a filter means the same: default dates change at midnight in the site zone. Returns
 * undefined for relative dates, which change every second, and for filters of modules that use the clock.
 */
export function validUntil({ params, further }: EventFilter, { site, nowUtc }: RequestContext): UtcTime | undefined {
  if (further.some((filter) => filter.usesClock)) return undefined;
  const areFixed = DATE_PARAMS.map((name) => params[name]).every((date) => date === undefined || isFixedDate(date));
  return areFixed ? nextMidnight(nowUtc, site.timeZone) : undefined;
}

function readWindow(params: EventParams, problems: Problems, context: RequestContext, pastDays: number): DateWindow {
  const { timeZone: siteZone } = context.site;
  const given: Partial<Record<DateParam, ParsedDate>> = {};
  for (const name of DATE_PARAMS) {
    const value = params[name];
    if (value === undefined || problems.has(name)) continue;
    const date = checkDate(name, parseBound(value, siteZone, context.nowUtc), problems);
    if (date !== undefined) given[name] = date;
  }
  const options = {
    strict: params.strict_dates === true,
    ignoreDates: params.include !== undefined,
    siteZone,
    nowUtc: context.nowUtc,
    pastDays,
  };
  return dateWindow(given, options);
}

function readSearch({ search }: EventParams, problems: Problems): SearchQuery | undefined {
  if (search === undefined) return undefined;
  const query = parseSearch(search);
  if (query.include.length === 0) problems.add('search', 'rest_empty', 'must not be empty.');
  return query;
}

function checkHidden({ hide_from_listings }: EventParams, problems: Problems, context: RequestContext): void {
  if (hide_from_listings === undefined || hide_from_listings === false || maySeeHidden(context)) return;
  problems.add('hide_from_listings', 'rest_not_allowed', 'has a value you are not allowed to use.');
}

/** Both coordinates or none; a radius needs both (contract 10.1). */
function checkGeoloc(params: EventParams, problems: Problems): void {
  // An invalid value counts as given.
  const isGiven = (name: (typeof GEOLOC_PARAMS)[number]) => params[name] !== undefined || problems.has(name);
  if (!GEOLOC_PARAMS.some(isGiven)) return;
  for (const name of GEOLOC_PARAMS.slice(0, 2)) {
    if (!isGiven(name)) problems.add(name, 'rest_conflict', 'needs a value as well.');
  }
  if (params.geoloc_radius === 0) problems.add('geoloc_radius', 'rest_out_of_bounds', 'must be above 0.');
}
