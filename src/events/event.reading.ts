import { nextMidnight } from '../kernel/calendar-arithmetic.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { type DateParam, type DateWindow, dateWindow } from '../kernel/date-window.js';
import { isFixedDate, parseBound, type ParsedDate } from '../kernel/date-input.js';
import { parseSearch, type SearchQuery } from '../kernel/search-query.js';
import type { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkStatusFilter } from '../posts/post.access.js';
import { knownDate } from '../posts/post.publication.js';
import { maySeeHidden } from './event.filter.js';
import { DATE_PARAMS, type EventParams } from './event.params.js';

const PLACE = ['geoloc_lat', 'geoloc_lng', 'geoloc_radius'] as const;

/** Reads the parameters of a list as far as they name no records, and notes what is wrong with them (contract 10.1). */
export function readEventParams(
  params: EventParams,
  problems: Problems,
  context: RequestContext,
): { window: DateWindow; search: SearchQuery | undefined } {
  checkStatusFilter(params.status, context, problems);
  checkHidden(params, problems, context);
  checkPlace(params, problems);
  return { window: readWindow(params, problems, context), search: readSearch(params, problems) };
}

/**
 * Until when the same parameters mean the same dates: default dates change with the day of the site. Nothing for dates that
 * are counted from now.
 */
export function sameDatesUntil(params: EventParams, { site, nowUtc }: RequestContext): UtcTime | undefined {
  const areFixed = DATE_PARAMS.map((name) => params[name]).every((date) => date === undefined || isFixedDate(date));
  return areFixed ? nextMidnight(nowUtc, site.timeZone) : undefined;
}

function readWindow(params: EventParams, problems: Problems, context: RequestContext): DateWindow {
  const { timeZone: siteZone } = context.site;
  const given: Partial<Record<DateParam, ParsedDate>> = {};
  for (const name of DATE_PARAMS) {
    const value = params[name];
    if (value === undefined || problems.has(name)) continue;
    const date = knownDate(name, parseBound(value, siteZone, context.nowUtc), problems);
    if (date !== undefined) given[name] = date;
  }
  const options = {
    strict: params.strict_dates === true,
    ignoreDates: params.include !== undefined,
    siteZone,
    nowUtc: context.nowUtc,
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
function checkPlace(params: EventParams, problems: Problems): void {
  // A value that was refused is given, too.
  const isGiven = (name: (typeof PLACE)[number]) => params[name] !== undefined || problems.has(name);
  if (!PLACE.some(isGiven)) return;
  for (const name of PLACE.slice(0, 2)) {
    if (!isGiven(name)) problems.add(name, 'rest_conflict', 'needs a value as well.');
  }
  if (params.geoloc_radius === 0) problems.add('geoloc_radius', 'rest_out_of_bounds', 'must be above 0.');
}
