import { cleanCostEntry, costEntries, MAX_COST_ENTRIES, MAX_COST_ENTRY_LENGTH } from '../kernel/cost.js';
import type { PostStatus } from '../kernel/post-status.js';
import { codePointLength } from '../kernel/text/plain-text.js';
import type { LinkedPostDto } from '../linked-posts/linked-post.kind.js';
import { type LinkItem, readLinkItems } from '../linked-posts/linked-post.resolve.js';
import { OrganizerDto } from '../organizers/organizer.dto.js';
import type { Check } from '../platform/http/fields/field-metadata.js';
import { Form, RECORD_BY_ID } from '../platform/http/fields/list-fields.js';
import { Html, RawText, Text, WebAddress, Zone } from '../platform/http/fields/text-fields.js';
import { Flag, Int, WireDate } from '../platform/http/fields/value-fields.js';
import type { BodyExample } from '../platform/http/operation.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import {
  AuthorField,
  DateField,
  DateUtcField,
  ImageField,
  PostDeletion,
  type PostDto,
  PostStatusField,
  SlugField,
} from '../posts/post.dto.js';
import { type TermItem, TermItems } from '../terms/term.items.js';
import { VenueDto } from '../venues/venue.dto.js';

const date = { type: 'string', required: true, whenEmpty: 'refuse' } as const;

export const COST_TOO_LONG = `must not be longer than ${MAX_COST_ENTRY_LENGTH} characters.`;

export function isShortEnough(costEntry: string): boolean {
  return codePointLength(costEntry) <= MAX_COST_ENTRY_LENGTH;
}

const COST: readonly Check[] = [
  ['rest_invalid_type', () => true, 'must be text, a number or a list of these.'],
  [
    'rest_too_long',
    (value) => (value as string[]).length <= MAX_COST_ENTRIES,
    `must not have more than ${MAX_COST_ENTRIES} items.`,
  ],
  [
    'rest_too_long',
    // A single entry may be the text that responses show (event.values.ts).
    (value) => (value as string[]).length === 1 || (value as string[]).every(isShortEnough),
    COST_TOO_LONG,
  ],
];
const AMOUNT = [{ type: 'string' }, { type: 'number' }] as const;
const COST_FORMS = [...AMOUNT, { type: 'array', items: { anyOf: AMOUNT } }] as const;
const LINKS: readonly Check[] = [
  ['rest_invalid_type', () => true, 'must be a list of ids or of records with their data.'],
];

/** Declares a field for records to link: by id, or as the data of new records (contract 10.5). */
const Links = (description: string, dto: new () => LinkedPostDto, example: readonly unknown[] = [12]) =>
  Form(description, {
    type: 'array',
    default: null,
    read: readLinkItems,
    checks: LINKS,
    forms: [{ type: 'integer' }, RECORD_BY_ID, dto],
    example,
  });

/** The accepted fields of an event. null clears a field (contract 10.4). */
export class EventDto implements PostDto {
  @Text('the event title', { max: 500, required: true, whenEmpty: 'refuse', example: 'Jazz & Wine' }) title?: string;
  @WireDate('the start date and time', date) start_date?: string | number;
  @WireDate('the end date and time', { ...date, example: '2027-03-10 23:30' }) end_date?: string | number;
  @Html('the event description') description?: string | null;
  @Html('the event excerpt', { example: 'An evening of both.' }) excerpt?: string | null;
  @SlugField() slug?: string | null;
  @PostStatusField() status?: PostStatus;
  @AuthorField() author?: number;
  @DateField() date?: string | number;
  @DateUtcField() date_utc?: string | number;
  @Zone('the time zone of the event: an IANA name or a fixed offset such as UTC+2') timezone?: string | null;
  @Flag('whether the event lasts all day', { default: false }) all_day?: boolean | null;
  @ImageField() image?: ImageReference | null;
  @Form('the admission price', { read: readCost, checks: COST, forms: COST_FORMS, example: '20€' }) cost?:
    string[] | null;
  @WebAddress('the URL of the event website', { type: undefined, default: null }) website?: string | null;
  @Flag('whether to show a map') show_map?: boolean | null;
  @Flag('whether to show a link to a map') show_map_link?: boolean | null;
  @Flag('whether to hide the event in the calendar view') hide_from_listings?: boolean | null;
  @Flag('whether to pin the event in the calendar view') sticky?: boolean | null;
  @Flag('whether the event is featured on the site') featured?: boolean | null;
  @TermItems('ids, slugs or names of categories', { default: null, example: ['Music'] }) categories?: TermItem[] | null;
  @TermItems('ids, slugs or names of tags', { default: null, example: ['evening'] }) tags?: TermItem[] | null;
  @Links('ids or data of venues', VenueDto, [{ venue: 'Blue Room', city: 'Lyon' }]) venue?: LinkItem[] | null;
  @Links('ids or data of organizers', OrganizerDto, [{ organizer: 'Bob', email: 'bob@example.com' }]) organizer?:
    LinkItem[] | null;
  @Int('the id of the parent event; 0: none', { min: 0, example: 0 }) post_parent?: number | null;
  @Flag('whether tickets are offered') ticketed?: boolean | null;
}

/** The fields of an update by id, which may also set the event password. Other writes ignore the password. */
export class EventByIdDto extends EventDto {
  @RawText('the event password; empty: none; only an update by id sets it, a create does not', {
    max: 255,
    example: 'open sesame',
  })
  password?: string | null;
}

/** The parameters of a read by id. */
export class EventReadParams {
  @RawText('the event password', { max: 255, example: 'open sesame' }) password?: string;
}

export class EventDeleteParams extends PostDeletion {
  @RawText('the event password; without effect', { max: 255, example: 'open sesame' }) password?: string;
}

function readCost(value: unknown): string[] | undefined {
  return costEntries(value)
    ?.map(cleanCostEntry)
    .filter((entry) => entry !== '');
}

/** Example bodies for the OpenAPI document. Clients can send them unchanged. */
export const EVENT_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with venue, organizer, category and tag',
      value: {
        title: 'Jazz & Wine',
        description: 'Doors at 7.\n\nBring friends.',
        start_date: '2027-03-10 20:00',
        end_date: '2027-03-10 23:30',
        timezone: 'Europe/Paris',
        cost: '20€',
        website: 'https://jazz.example/',
        featured: true,
        categories: ['Music'],
        tags: ['evening'],
        venue: [{ venue: 'Blue Room', city: 'Lyon', country: 'France' }],
        organizer: [{ organizer: 'Bob', email: 'bob@example.com' }],
      },
    },
    short: {
      summary: 'as little as possible',
      value: { title: 'Town meeting', start_date: '2027-03-11 19:00', end_date: '2027-03-11 21:00' },
    },
  },
  update: {
    change: { summary: 'what changes; the rest stays', value: { title: 'Jazz, Wine & Cheese', cost: '20€ - 25€' } },
    move: {
      summary: 'another time',
      value: { start_date: '2027-03-17 20:00', end_date: '2027-03-17 23:30' },
    },
  },
};
