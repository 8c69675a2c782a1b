import { dateWindow } from '../kernel/time/date-window.js';
import { toBoolean, toWord } from '../platform/http/fields/coercion.js';
import { type Check, fieldsOf, type ComputedDefault, WithoutFields } from '../platform/http/fields/field-metadata.js';
import { PageNumber, PageSize } from '../platform/http/fields/page-fields.js';
import { Choice, Double, Flag, Int, WireDate } from '../platform/http/fields/value-fields.js';
import { Form, IdList, ReferenceList } from '../platform/http/fields/list-fields.js';
import { RawText } from '../platform/http/fields/text-fields.js';
import { StatusFilter, type StatusWord } from '../posts/post.dto.js';
import type { SiteSettings } from '../config/site-settings.js';

const EVENT_ORDERS = ['start_date', 'end_date', 'title', 'date', 'modified', 'id'] as const;
export type EventOrder = (typeof EVENT_ORDERS)[number];

const HIDDEN_WORDS = ['true', 'false', 'any'];
const HIDDEN: Check = [
  'rest_not_in_enum',
  (value) => typeof value === 'boolean' || value === 'any',
  `must be one of ${HIDDEN_WORDS.join(', ')}.`,
];

/* The filters that the change feed has as well. */
export const InCategories = () => ReferenceList('events in any of these categories, by id or slug; descendants count');
export const WithTags = () => ReferenceList('events with any of these tags, by id or slug');
export const AtVenues = () => IdList('events at any of these venues', { min: 1 });
export const OfOrganizers = () => IdList('events of any of these organizers', { min: 1 });
export const IsFeatured = () => Flag('events that are featured, or are not');
export const IsTicketed = () => Flag('events with tickets, or without');
export const HiddenFilter = () =>
  Form('hidden events: only (true), too (any) or not (false, default); for editors', {
    read: readHidden,
    checks: [HIDDEN],
    type: 'string',
    enum: HIDDEN_WORDS,
    example: 'any',
    isList: false,
  });

/** How many days before today the default window of lists begins. */
export const LIST_PAST_DAYS = 1;

/** The parameters of GET /events (contract 10.1). */
export class EventParams {
  @PageNumber('the page of the archive') page?: number;
  @PageSize('how many events a page has') per_page?: number;
  @WireDate('events that start on or after this day; default: yesterday', { default: windowDefault('start_date') })
  start_date?: string;
  @WireDate('events that end on or before this day; default: the day 24 months ahead', {
    default: windowDefault('end_date'),
  })
  end_date?: string;
  @WireDate('events that start before the end of this day') starts_before?: string;
  @WireDate('events that start after this day') starts_after?: string;
  @WireDate('events that end before the end of this day') ends_before?: string;
  @WireDate('events that end after this day') ends_after?: string;
  @Flag('whether the dates count to the second; by default whole days do', { type: undefined, default: false })
  strict_dates?: boolean;
  @RawText(
    'events whose title, description or excerpt contain all words; "phrases" and -exclusions count; more than 20 words are one phrase',
    {
      max: 500,
      example: 'jazz -wine',
    },
  )
  search?: string;
  @InCategories() categories?: (string | number)[];
  @WithTags() tags?: (string | number)[];
  @AtVenues() venue?: number[];
  @OfOrganizers() organizer?: number[];
  @IsFeatured() featured?: boolean;
  @StatusFilter() status?: StatusWord[];
  @Flag('events whose venue has coordinates, or has none') geoloc?: boolean;
  @Double('latitude of the centre; geoloc_lng must be given, too', { min: -90, max: 90, example: 45.76 })
  geoloc_lat?: number;
  @Double('longitude of the centre; geoloc_lat must be given, too', { min: -180, max: 180, example: 4.84 })
  geoloc_lng?: number;
  @Double('distance from the centre in km, default 25', { min: 0, max: 20038, example: 10 }) geoloc_radius?: number;
  @IdList('only these events; every date filter is ignored', { min: 1 }) include?: number[];
  @Int('events with this parent; 0: without parent', { min: 0, example: 0 }) post_parent?: number;
  @IsTicketed() ticketed?: boolean;
  @HiddenFilter() hide_from_listings?: boolean | 'any';
  @Choice('what to sort by; default start_date', { words: EVENT_ORDERS, example: 'title' }) orderby?: EventOrder;
  @Choice('ascending (default) or descending', { words: ['asc', 'desc'], example: 'desc' }) order?: 'asc' | 'desc';
}

/** The parameters of the iCalendar feed: those of the list, without paging and order (ical 1). */
@WithoutFields('page', 'per_page', 'orderby', 'order')
export class EventFeedParams extends EventParams {}

WireDate('events that start on or after this day; default: ICAL_PAST days before today', {
  default: windowDefault('start_date', ({ feed }) => feed.pastDays),
})(EventFeedParams.prototype, 'start_date');

const LINK_ORDER = [
  'start_date',
  'end_date',
  'search',
  'geoloc',
  'geoloc_lat',
  'geoloc_lng',
  'geoloc_radius',
  'status',
  'post_parent',
  'include',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
  'ticketed',
  'venue',
  'organizer',
  'featured',
  'categories',
  'tags',
  'strict_dates',
  'hide_from_listings',
  'orderby',
  'order',
];
const further = fieldsOf(EventParams)
  .map(({ name }) => name)
  .filter((name) => !['page', 'per_page', ...LINK_ORDER].includes(name));

/** The order of the filters in links (contract 10.1). Parameters of extensions come last. */
export const EVENT_LINK_ORDER: readonly string[] = [...LINK_ORDER, ...further];

export const DATE_PARAMS = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const;

/** Returns the default date for the OpenAPI document (contract 10.2). */
function windowDefault(
  name: 'start_date' | 'end_date',
  pastDaysOf: (site: SiteSettings) => number = () => LIST_PAST_DAYS,
): ComputedDefault {
  return ({ nowUtc, site }) => {
    const options = { strict: false, ignoreDates: false, siteZone: site.timeZone, nowUtc, pastDays: pastDaysOf(site) };
    return dateWindow({}, options).effective[name] ?? '';
  };
}

/** Returns the sort order of a list, with its defaults. */
export function sortOf({ orderby = 'start_date', order = 'asc' }: EventParams) {
  return { orderby, order };
}

/** Parses a boolean in any of its forms, or `any`. */
function readHidden(value: unknown): unknown {
  return toWord(value) === 'any' ? 'any' : toBoolean(value);
}
