import { type Cost, parseCost, presentCost } from '../kernel/cost.js';
import { searchText, sortKey } from '../kernel/text/case-folding.js';
import type { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { COST_TOO_LONG, type EventDto, isShortEnough } from './event.dto.js';
import type { EventRow } from './event.entity.js';

const FLAGS = ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed'] as const;

type Values = Pick<
  EventRow,
  'title' | 'title_key' | 'search_text' | 'description' | 'excerpt' | 'website' | 'cost' | (typeof FLAGS)[number]
>;

/** Returns the columns that depend on the sent fields only. For an update, returns the columns to change. */
export function eventValues(dto: EventDto, stored: EventRow | undefined, context: RequestContext): Partial<Values> {
  return { ...texts(dto, stored), ...website(dto, stored), ...cost(dto, stored, context), ...flags(dto, stored) };
}

/** Reports an entry that is too long, unless it is the cost text that responses show. */
export function checkCost(
  dto: EventDto,
  stored: EventRow | undefined,
  context: RequestContext,
  problems: Problems,
): void {
  const fits = (dto.cost ?? []).every(isShortEnough);
  if (!fits && !isShownCost(dto, stored, context)) problems.add('cost', 'rest_too_long', COST_TOO_LONG);
}

export function storedCost(row: Pick<EventRow, 'cost'>): Cost | undefined {
  return row.cost === '' ? undefined : (JSON.parse(row.cost) as Cost);
}

function texts(dto: EventDto, stored: EventRow | undefined): Partial<Values> {
  if (stored !== undefined && dto.title === undefined && dto.description === undefined && dto.excerpt === undefined)
    return {};
  const title = dto.title ?? stored?.title ?? '';
  const description = textOf(dto.description, stored?.description);
  const excerpt = textOf(dto.excerpt, stored?.excerpt);
  return {
    title,
    title_key: sortKey(title),
    description,
    excerpt,
    search_text: searchText([title, description, excerpt]),
  };
}

/** null clears a text, undefined leaves it unchanged. */
function textOf(sent: string | null | undefined, stored = ''): string {
  return sent === undefined ? stored : (sent ?? '');
}

function website(dto: EventDto, stored: EventRow | undefined): Partial<Values> {
  return stored !== undefined && dto.website === undefined ? {} : { website: dto.website ?? '' };
}

function cost(dto: EventDto, stored: EventRow | undefined, context: RequestContext): Partial<Values> {
  if (stored !== undefined && (dto.cost === undefined || isShownCost(dto, stored, context))) return {};
  const parsed = parseCost(dto.cost ?? []);
  return { cost: parsed === undefined ? '' : JSON.stringify(parsed) };
}

/** contract TXT-01: sending back the cost text of a response changes nothing. */
function isShownCost({ cost }: EventDto, stored: EventRow | undefined, { site }: RequestContext): boolean {
  return stored !== undefined && cost?.length === 1 && cost[0] === presentCost(storedCost(stored), site.currency).cost;
}

function flags(dto: EventDto, stored: EventRow | undefined): Partial<Values> {
  const sent = FLAGS.filter((name) => stored === undefined || dto[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, dto[name] === true ? 1 : 0]));
}
