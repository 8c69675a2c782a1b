import { type Condition, condition } from '../kernel/condition.js';
import { sortKey } from '../kernel/fold.js';
import type { LinkedPostRow } from './linked-post.entity.js';

/** What decides the place of a record in a list. */
type Ranked = Pick<LinkedPostRow, 'id' | 'title' | 'date_utc'>;

/** What rows `p` are sorted by: records of the name that is searched for, then the newest (contract 11.1). */
export function linkedPostOrder(searched: string | undefined): Condition {
  const newestFirst = 'p.date_utc DESC, p.id DESC';
  if (searched === undefined) return condition(newestFirst);
  return condition(`CASE WHEN p.title_key = ? THEN 0 ELSE 1 END, ${newestFirst}`, sortKey(searched));
}

/** The same order for rows that are read. */
export function inLinkedPostOrder<Row extends Ranked>(rows: readonly Row[], searched: string | undefined): Row[] {
  const name = searched === undefined ? undefined : sortKey(searched);
  const rank = (row: Row) => (sortKey(row.title) === name ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || compare(b.date_utc, a.date_utc) || b.id - a.id);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
