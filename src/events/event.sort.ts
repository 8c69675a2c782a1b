import type { EventRow } from './event.entity.js';
import { type EventOrder, type EventParams, sortOf } from './event.params.js';
import type { EventReadRow } from './event.query.js';

const SORT_COLUMNS = {
  start_date: 'start_utc',
  end_date: 'end_utc',
  title: 'title_key',
  date: 'date_utc',
  modified: 'modified_utc',
  id: 'id',
} as const satisfies Record<EventOrder, keyof EventRow>;

/** Returns the ORDER BY of `events e`. Ties are ascending by id in both directions (contract EV-LIST-20). */
export function sqlOrder(params: EventParams): string {
  const { orderby, order } = sortOf(params);
  const column = `e.${SORT_COLUMNS[orderby]} ${order === 'desc' ? 'DESC' : 'ASC'}`;
  return orderby === 'id' ? column : `${column}, e.id ASC`;
}

/** Returns the same order as a comparison of rows, or undefined for titles, whose sort keys are not selected. */
export function rowOrder(params: EventParams): ((a: EventReadRow, b: EventReadRow) => number) | undefined {
  const { orderby, order } = sortOf(params);
  const column = SORT_COLUMNS[orderby];
  if (column === 'title_key') return undefined;
  const sign = order === 'desc' ? -1 : 1;
  return (a, b) => (a[column] === b[column] ? a.id - b.id : a[column] < b[column] ? -sign : sign);
}
