import type { SchemaObject } from '@nestjs/swagger';
import { OrganizerLinkedData, OrganizerResponse } from '../organizers/organizer.response.js';
import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '../platform/http/api-decorators.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { ImageResponse } from '../platform/images/image.response.js';
import { type LinkedData, LinkedText, LinkedType, OptionalLinkedText } from '../posts/json-ld.response.js';
import { TermResponse } from '../terms/term.response.js';
import { VenueLinkedData, VenueResponse } from '../venues/venue.response.js';

const Digits = (description: string, example: string) => ApiProperty({ description, type: String, example });

/** The parts of a date-time, zero-padded (contract 2.3). */
@ApiSchema({ name: 'DateDetails' })
export class DateDetailsResponse {
  @Digits('the year, four digits', '2026') year: string;
  @Digits('the month', '12') month: string;
  @Digits('the day of the month', '05') day: string;
  @Digits('the hour, 00 to 23', '20') hour: string;
  @Digits('the minutes', '00') minutes: string;
  @Digits('the seconds', '00') seconds: string;
}

/** The parts of an admission price (contract section 8). */
@ApiSchema({ name: 'CostDetails' })
export class CostDetailsResponse {
  @ApiProperty({ description: 'the symbol all amounts share; empty: none', type: String, example: '€' })
  currency_symbol: string;
  @ApiProperty({ description: 'always empty', type: String, example: '' }) currency_code: string;
  @ApiProperty({
    description: 'where the symbol stands; empty: no symbol',
    type: String,
    enum: ['', 'prefix', 'postfix'],
    example: 'postfix',
  })
  currency_position: string;
  @ApiProperty({ description: 'the amounts, ascending', type: [String], example: ['20'] }) values: string[];
}

const Text = (description: string, example: string) => ApiProperty({ description, example, type: String });
const Time = (description: string) => Text(`${description}, YYYY-MM-DD HH:MM:SS`, '2026-12-05 20:00:00');
const Details = (of: string) => ApiProperty({ description: `the parts of ${of}`, type: DateDetailsResponse });
/** Declares a flag, which is null if a list blanks the event (contract 7.3). */
const Flag = (description: string) => ApiProperty({ description, type: Boolean, nullable: true, example: false });
const reference = (type: new () => object) => ({ $ref: getSchemaPath(type) });

const CUSTOM_FIELD: SchemaObject = {
  type: 'object',
  properties: { label: { type: 'string' }, value: {} },
  required: ['label', 'value'],
};

export class OfferLinkedData implements LinkedData {
  @LinkedType('Offer') '@type': string;
  @LinkedText() price: string;
  @LinkedText() priceCurrency: string;
  @LinkedText() url: string;
  @LinkedText() category: string;
  @LinkedText() availability: string;
  @LinkedText() validFrom: string;
}

/** The schema.org description of an event (contract section 8). */
export class EventLinkedData implements LinkedData {
  @LinkedText() '@context': string;
  @LinkedType('Event') '@type': string;
  @LinkedText() name: string;
  @LinkedText() description: string;
  @OptionalLinkedText() image?: string;
  @LinkedText() url: string;
  @LinkedText() eventAttendanceMode: string;
  @LinkedText() eventStatus: string;
  @LinkedText() startDate: string;
  @LinkedText() endDate: string;
  @ApiPropertyOptional({ type: VenueLinkedData }) location?: VenueLinkedData;
  @ApiPropertyOptional({ type: OrganizerLinkedData }) organizer?: OrganizerLinkedData;
  @ApiPropertyOptional({ type: OfferLinkedData }) offers?: OfferLinkedData;
  @LinkedText() performer: string;
}

/** An event in a response (contract 10.3). */
@ApiSchema({ name: 'Event' })
export class EventResponse {
  @ApiProperty({ description: 'the id', type: 'integer', example: 12 }) id: number;
  @Text('an id that is unique over sites', 'example.com?id=12') global_id: string;
  @ApiProperty({ description: 'the global ids of the event', type: [String], example: ['example.com?id=12'] })
  global_id_lineage: string[];
  @Text('the id of the author, as text', '1') author: string;
  @Text('the post status', 'publish') status: string;
  @Time('the publication date in the time zone of the site') date: string;
  @Time('the publication date in UTC') date_utc: string;
  @Time('the last change in the time zone of the site') modified: string;
  @Time('the last change in UTC') modified_utc: string;
  @Text('the human page', 'https://example.com/event/jazz-wine/') url: string;
  @Text('the address of this record', 'https://example.com/calendar/events/v1/events/12') rest_url: string;
  @Text('the title, plain text', 'Jazz & Wine') title: string;
  @Text('the description, HTML', '<p>Doors at 7.</p>') description: string;
  @Text('the excerpt, HTML', '') excerpt: string;
  @Text('the last part of the human address', 'jazz-wine') slug: string;
  @ApiProperty({
    description: 'the featured image, or false',
    oneOf: [reference(ImageResponse), { type: 'boolean', enum: [false] }],
    example: false,
  })
  image: ImageResponse | false;
  @Flag('whether the event lasts all day') all_day: boolean | null;
  @Time('the start in the time zone of the event') start_date: string;
  @Details('start_date') start_date_details: DateDetailsResponse;
  @Time('the end in the time zone of the event') end_date: string;
  @Details('end_date') end_date_details: DateDetailsResponse;
  @Time('the start in UTC') utc_start_date: string;
  @Details('utc_start_date') utc_start_date_details: DateDetailsResponse;
  @Time('the end in UTC') utc_end_date: string;
  @Details('utc_end_date') utc_end_date_details: DateDetailsResponse;
  @Text('the time zone of the event', 'Europe/Paris') timezone: string;
  @Text('the abbreviation of the zone at the start', 'CET') timezone_abbr: string;
  @Text('the admission price as it is shown', '20€') cost: string;
  @ApiProperty({ description: 'the parts of the cost', type: CostDetailsResponse }) cost_details: CostDetailsResponse;
  @Text('the URL of the event website', 'https://jazz.example/') website: string;
  @Flag('whether to show a map') show_map: boolean | null;
  @Flag('whether to show a link to a map') show_map_link: boolean | null;
  @Flag('whether the event is hidden in the calendar view') hide_from_listings: boolean | null;
  @Flag('whether the event is pinned in the calendar view') sticky: boolean | null;
  @Flag('whether the event is featured') featured: boolean | null;
  @ApiProperty({ description: 'the categories, by name', type: [TermResponse] }) categories: TermResponse[];
  @ApiProperty({ description: 'the tags, by name', type: [TermResponse] }) tags: TermResponse[];
  @ApiProperty({
    description: 'the venue; an empty list for none, a list for several',
    oneOf: [reference(VenueResponse), { type: 'array', items: reference(VenueResponse) }],
  })
  venue: VenueResponse | VenueResponse[];
  @ApiProperty({ description: 'the organizers, in the order given', type: [OrganizerResponse] })
  organizer: OrganizerResponse[];
  @ApiProperty({
    description: 'fields of extensions: an object by name; an empty list for none',
    oneOf: [
      { type: 'array', items: {}, maxItems: 0 },
      { type: 'object', additionalProperties: CUSTOM_FIELD },
    ],
    example: [],
  })
  custom_fields: object;
  @ApiPropertyOptional({
    description: 'the schema.org description; when one event is read',
    type: EventLinkedData,
  })
  json_ld?: EventLinkedData;
  @Flag('whether tickets are offered') ticketed: boolean | null;
  @ApiProperty({ description: 'the id of the parent event; 0: none', type: 'integer', example: 0 }) post_parent: number;
}

/** The events of a page, for programs and pages alike. */
export interface FoundEvents {
  readonly items: readonly EventResponse[];
  /** The number of events on all pages. */
  readonly total: number;
}

/** The wall times at which the first and the last event of the calendar start. */
export interface CalendarExtent {
  readonly firstLocal: string;
  readonly lastLocal: string;
}

/** An event beside another one in the list. */
export interface EventNeighbour {
  readonly slug: string;
  readonly title: string;
}

export interface EventNeighbours {
  readonly earlier?: EventNeighbour;
  readonly later?: EventNeighbour;
}

/** An event for calendar programs: as a list shows it, with what only they need. */
export interface CalendarEvent {
  /** Protected events are blanked: their `all_day` is null (contract 7.3). */
  readonly shown: EventResponse;
  readonly uid: string;
  readonly revision: number;
  /** The latest change of the event, or of a record linked to it that is shown. */
  readonly changedUtc: UtcTime;
  /** The uid of the parent, if there is one that the caller may read. */
  readonly parentUid: string | undefined;
}

/** The events of a filter, for calendar programs. */
export interface CalendarFeed {
  /** The number of all events of the filter, of which the earliest ones are read. */
  readonly total: number;
  /** The given filters, for the URL of the feed (contract 9.2). */
  readonly filters: readonly (readonly [name: string, value: string])[];
  /** The name of the only category, tag, venue or organizer in the filter. */
  readonly subject: string | undefined;
  /** See `Reply.expiresAt`. */
  readonly expiresAt: UtcTime | undefined;
  /** The events in order of start and id, some at a time. */
  readonly batches: AsyncIterable<readonly CalendarEvent[]>;
}

/** A page of events (contract 9.1). */
@ApiSchema({ name: 'EventPage' })
export class EventPageResponse {
  @ApiProperty({ description: 'the events of this page', type: [EventResponse] }) events: EventResponse[];
  @Text(
    'the address of this page, with every filter in effect',
    'https://example.com/calendar/events/v1/events/?page=2&per_page=10',
  )
  rest_url: string;
  @ApiPropertyOptional({
    description: 'the address of the next page, if there is one',
    type: String,
    example: 'https://example.com/calendar/events/v1/events/?per_page=10&page=3',
  })
  next_rest_url?: string;
  @ApiPropertyOptional({
    description: 'the address of the previous page, if there is one',
    type: String,
    example: 'https://example.com/calendar/events/v1/events/?per_page=10',
  })
  previous_rest_url?: string;
  @ApiProperty({ description: 'how many events match', type: 'integer', example: 23 }) total: number;
  @ApiProperty({ description: 'how many pages there are', type: 'integer', example: 3 }) total_pages: number;
}
