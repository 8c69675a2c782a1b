import type { EventRow } from './event.entity.js';
import type { EventOrder, EventParams } from './event.params.js';

type Ordering = Pick<EventParams, 'orderby' | 'order'>;

const COLUMNS = {
  start_date: 'start_utc',
  end_date: 'end_utc',
  title: 'title_key',
  date: 'date_utc',
  modified: 'modified_utc',
  id: 'id',
} as const satisfies Record<EventOrder, keyof EventRow>;

/** What `events e` are sorted by. Ties are broken by the id, ascending in both directions (contract EV-LIST-20). */
export function eventOrder({ orderby = 'start_date', order = 'asc' }: Ordering): string {
  const column = `e.${COLUMNS[orderby]} ${order === 'desc' ? 'DESC' : 'ASC'}`;
  return orderby === 'id' ? column : `${column}, e.id ASC`;
}

/** The same order for rows that are read; undefined where only the database can tell it. */
export function rowOrder({
  orderby = 'start_date',
  order = 'asc',
}: Ordering): ((a: SortedRow, b: SortedRow) => number) | undefined {
  const column = COLUMNS[orderby];
  if (column === 'title_key') return undefined;
  const sign = order === 'desc' ? -1 : 1;
  return (a, b) => (a[column] === b[column] ? a.id - b.id : a[column] < b[column] ? -sign : sign);
}

type SortedRow = Pick<EventRow, 'start_utc' | 'end_utc' | 'date_utc' | 'modified_utc' | 'id'>;
