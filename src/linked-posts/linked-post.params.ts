import { PageNumber, PageSize } from '../platform/http/fields/page-fields.js';
import { Flag, Int } from '../platform/http/fields/value-fields.js';
import { RawText } from '../platform/http/fields/text-fields.js';
import { StatusFilter, type StatusWord } from '../posts/post.dto.js';

/** The parameters of GET /venues and GET /organizers (contract 11.1). */
export class LinkedPostParams {
  @PageNumber('the page of the archive') page?: number;
  @PageSize('how many records a page has') per_page?: number;
  @RawText('records of which one field contains all words of the search', { max: 500, example: 'wroclaw' })
  search?: string;
  @Int('records linked to this event') event?: number;
  @Flag('records that have events, or have none', { type: undefined }) has_events?: boolean;
  @Flag('only records that have upcoming events', { type: undefined, default: false }) only_with_upcoming?: boolean;
  @StatusFilter() status?: StatusWord[];
}

/** What the OpenAPI document says about POST /venues and POST /organizers (contract 11.3), as Markdown. */
export const CREATE_OR_REUSE =
  'Creates a record. If one with the same name and fields exists, nothing is created: the response is that record, ' +
  'with `X-Kalends-Reused: true`.';

/** The parameters in links of the collection, in the order of the table (contract 9.2). */
export const LINKED_POST_FILTERS: readonly (keyof LinkedPostParams)[] = [
  'search',
  'event',
  'has_events',
  'only_with_upcoming',
  'status',
];
