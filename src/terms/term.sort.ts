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

/** The orders that SQL knows; by term_group, which is 0 for all, there are nothing but ties. */
const COLUMNS: Partial<Record<TermOrder, string>> = {
  name: 't.name_key',
  id: 't.id',
  term_id: 't.id',
  none: 't.id',
  slug: 't.slug',
  count: 'event_count',
  parent: 't.parent',
};

/** The ORDER BY of a page; equal terms stand by id, under `desc` too (contract TERM-06). */
export function orderClause({ orderby = 'name', order = 'asc' }: TermSort): string {
  const column = COLUMNS[orderby];
  return column === undefined ? 'ORDER BY t.id' : `ORDER BY ${column} ${order}, t.id`;
}

/** Compares terms by what SQL cannot: the place in the sent list, a description without regard to case. */
export function comparison(sort: TermSort): ((a: SortedTerm, b: SortedTerm) => number) | undefined {
  const compare = ascending(sort);
  if (compare === undefined) return undefined;
  const sign = sort.order === 'desc' ? -1 : 1;
  return (a, b) => sign * compare(a, b) || a.id - b.id;
}

function ascending({ orderby, include }: TermSort): ((a: SortedTerm, b: SortedTerm) => number) | undefined {
  if (orderby === 'description') return (a, b) => Buffer.compare(codePoints(a.description), codePoints(b.description));
  if (include === undefined || (orderby !== 'include' && orderby !== 'include_slugs')) return undefined;
  const places = new Map(include.map((id, place) => [id, place]));
  return (a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0);
}

/** UTF-8 sorts as code points do; strings would sort by halves of surrogate pairs. */
function codePoints(text: string): Buffer {
  return Buffer.from(nameKey(text));
}
