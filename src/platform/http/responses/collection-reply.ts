import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { isBeyond, type Page, totalPages } from '../../../kernel/pagination.js';
import { apiError } from '../../../errors/api-error.js';
import type { ErrorCode } from '../../../errors/error-catalogue.js';
import { type Reply, replyOf, type StillHolds } from '../reply.js';
import type { RequestContext } from '../request-context.js';

/** One page of a collection, from which a `Reply` is made. */
export interface CollectionPage {
  /** The collection and the key of its list: `events`. */
  readonly name: string;
  /** The path of the collection, if it is not the name: `webhooks/12/messages`. */
  readonly path?: string;
  readonly items: readonly object[];
  readonly total: number;
  readonly page: Page;
  /** The filters for the links, in the order of the parameter table (contract 9.2). */
  readonly filters: readonly (readonly [name: string, value: string])[];
  /** See `Reply.expiresAt`. */
  readonly expiresAt?: UtcTime;
  /** See `Reply.stillHolds`. */
  readonly stillHolds?: StillHolds;
}

/** Returns the envelope of events, venues and organizers (contract 9.1). */
export function postCollection(collection: CollectionPage, context: RequestContext): Reply {
  const { rest_url, next_rest_url, previous_rest_url } = linksOf(collection, context);
  const counts = countsOf(collection);
  const body = { [collection.name]: collection.items, rest_url, ...next_rest_url, ...previous_rest_url, ...counts };
  return toReply(collection, body);
}

/** Returns the envelope of categories and tags (contract 9.1). */
export function termCollection(collection: CollectionPage, context: RequestContext): Reply {
  const { rest_url, next_rest_url, previous_rest_url } = linksOf(collection, context);
  const counts = countsOf(collection);
  const body = { rest_url, ...counts, [collection.name]: collection.items, ...next_rest_url, ...previous_rest_url };
  return toReply(collection, body);
}

/** Throws 404 with this code for a page after the last one (contract 9.1). */
export function checkPageExists(total: number, page: Page, code: ErrorCode): void {
  if (isBeyond(total, page)) throw apiError(code);
}

/** Returns the filters that are set, as links contain them: canonical values, lists as CSV. */
export function filtersOf(dto: object, names: readonly string[]): [string, string][] {
  const given = dto as Record<string, unknown>;
  return names.filter((name) => given[name] !== undefined).map((name) => [name, String(given[name])]);
}

function countsOf({ total, page }: CollectionPage) {
  return { total, total_pages: totalPages(total, page) };
}

function linksOf({ name, path = name, page, total, filters }: CollectionPage, { urls, fields }: RequestContext) {
  const all = [...filters, ...(fields.length > 0 ? [['_fields', fields.join(',')] as const] : [])];
  const size = ['per_page', String(page.size)] as const;
  const link = (pairs: readonly (readonly [string, string])[]) =>
    `${urls.collection(path)}/?${new URLSearchParams(pairs as [string, string][]).toString()}`;
  const pageLink = (number: number) => link([size, ...all, ...(number > 1 ? [['page', String(number)] as const] : [])]);
  return {
    rest_url: link([['page', String(page.number)], size, ...all]),
    next_rest_url: page.number < totalPages(total, page) ? { next_rest_url: pageLink(page.number + 1) } : {},
    previous_rest_url: page.number > 1 ? { previous_rest_url: pageLink(page.number - 1) } : {},
  };
}

function toReply(collection: CollectionPage, body: Record<string, unknown>): Reply {
  const { total, total_pages } = countsOf(collection);
  const links = [link(body.next_rest_url, 'next'), link(body.previous_rest_url, 'prev')].filter(
    (item) => item !== undefined,
  );
  return replyOf({
    body,
    list: collection.name,
    expiresAt: collection.expiresAt,
    stillHolds: collection.stillHolds,
    headers: {
      'X-TEC-Total': String(total),
      'X-WP-Total': String(total),
      'X-TEC-TotalPages': String(total_pages),
      'X-WP-TotalPages': String(total_pages),
      'X-TEC-PerPage': String(collection.page.size),
      ...(links.length > 0 ? { Link: links.join(', ') } : {}),
    },
  });
}

function link(url: unknown, relation: string): string | undefined {
  return typeof url === 'string' ? `<${url}>; rel="${relation}"` : undefined;
}
