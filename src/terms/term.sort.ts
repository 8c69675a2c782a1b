import { nameKey } from '../kernel/text/case-folding.js';

export const TERM_ORDERS = [
  'name',
  'id',
  'term_id',
  'slug',
  'count',
  'parent',
  'description',
  'term_group',
  'include',
  'include_slugs',
  'none',
] as const;
export type TermOrder = (typeof TERM_ORDERS)[number];

export interface TermSort {
  readonly orderby?: TermOrder;
  readonly order?: 'asc' | 'desc';
  readonly include?: readonly number[];
}

export interface SortedTerm {
  readonly id: number;
  readonly description: string;
}

/** The orders that SQL can produce. `term_group` is missing, because it is 0 for all terms. */
const COLUMNS: Partial<Record<TermOrder, string>> = {
  name: 't.name_key',
  id: 't.id',
  term_id: 't.id',
  none: 't.id',
  slug: 't.slug',
  count: 'event_count',
  parent: 't.parent',
};

/** Returns the ORDER BY of a page. Equal terms are ascending by id, also under `desc` (contract TERM-06). */
export function orderClause({ orderby = 'name', order = 'asc' }: TermSort): string {
  const column = COLUMNS[orderby];
  return column === undefined ? 'ORDER BY t.id' : `ORDER BY ${column} ${order}, t.id`;
}

/**
 * Returns a comparison that SQL cannot do: by the position in `include`, by description case-insensitively, or by counts in
 * memory.
 */
export function comparison(
  sort: TermSort,
  countOf?: (termId: number) => number,
): ((a: SortedTerm, b: SortedTerm) => number) | undefined {
  const byCount = sort.orderby === 'count' && countOf !== undefined;
  const compare = byCount ? (a: SortedTerm, b: SortedTerm) => countOf(a.id) - countOf(b.id) : ascending(sort);
  if (compare === undefined) return undefined;
  const sign = sort.order === 'desc' ? -1 : 1;
  return (a, b) => sign * compare(a, b) || a.id - b.id;
}

function ascending({ orderby, include }: TermSort): ((a: SortedTerm, b: SortedTerm) => number) | undefined {
  if (orderby === 'description') return (a, b) => Buffer.compare(codePoints(a.description), codePoints(b.description));
  if (include === undefined || (orderby !== 'include' && orderby !== 'include_slugs')) return undefined;
  const positions = new Map(include.map((id, position) => [id, position]));
  return (a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0);
}

/** Returns UTF-8 bytes, which sort by code point. JavaScript strings sort by UTF-16 code unit. */
function codePoints(text: string): Buffer {
  return Buffer.from(nameKey(text));
}
