import { Injectable } from '@nestjs/common';
import { type ReadCache, recordsFor } from '../../database/cache/read-cache.js';
import { TABLES } from '../../database/sql/tables.js';
import { isBeyond, offsetOf, type Page } from '../../kernel/pagination.js';
import { isSameList } from '../../kernel/same-list.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { fromSeconds } from '../../kernel/time/epoch-seconds.js';
import type { StillHolds } from '../../platform/http/reply.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { sortOf } from '../event.params.js';
import type { EventReadRow } from '../event.query.js';
import { type EventFilter, isIndexed } from '../filter/filter.js';
import type { EventIndex } from './event-index.js';
import { selectionOf } from './filter-selection.js';
import { FollowedEvents } from './followed-events.js';
import { selectedPage, selectedTotal } from './selected-page.js';

/** The events on a page. */
export interface ListedIds {
  /** Their ids, in order. */
  readonly ids: readonly number[];
  /** The rows of some of them, as the index knows the events. */
  readonly cached: ReadonlyMap<number, EventReadRow>;
}

/** What the index knows of a list. */
interface IndexedPage {
  readonly total: number;
  /** undefined: the index has no such order. */
  readonly page: ListedIds | undefined;
  /** The time for which events are public or not. */
  readonly nowUtc: UtcTime;
}

/** Only the caller, because what a cached reply refers to stays in memory with it. */
type Asking = Pick<RequestContext, 'caller'>;

/** Reads lists from the index of events. */
@Injectable()
export class IndexedList {
  constructor(private readonly events: FollowedEvents) {}

  /** Returns total and ids as of the newest commit. undefined: the index is switched off, or does not know the filter. */
  async find(
    sql: ReadCache,
    filter: EventFilter,
    page: Page,
    context: RequestContext,
  ): Promise<IndexedPage | undefined> {
    if (!this.events.isOn || !isIndexed(filter)) return undefined;
    // A row that differs from the index may not match the filter, which the index decides.
    const rowIn = (index: EventIndex) => (id: number) =>
      recordsFor(sql, TABLES.events) === undefined ? undefined : this.events.agreeingRow(index, id);
    return this.events.read((index) => pageOf(index, rowIn(index), filter, page, context), sql.state);
  }

  /**
   * Returns whether the index lists the same events again, if the filter refers to the same records. undefined: it also depends
   * on what the index does not know.
   */
  watch(
    filter: EventFilter,
    page: Page,
    { caller }: Asking,
    listed: { readonly total: number; readonly ids: readonly number[] },
  ): StillHolds | undefined {
    const { search, nearVenueIds, params } = filter;
    if (search !== undefined || nearVenueIds !== undefined || params.post_parent) return undefined;
    const { total, ids } = listed;
    return (nowUtc) => {
      const index = this.events.indexAt(nowUtc);
      const again = index && idsOn(index, filter, page, { caller });
      return again !== undefined && again.total === total && isSameList(again.ids ?? [], ids);
    };
  }
}

function pageOf(
  index: EventIndex,
  rowOf: (id: number) => EventReadRow | undefined,
  filter: EventFilter,
  page: Page,
  context: Asking,
): IndexedPage {
  const { total, ids } = idsOn(index, filter, page, context);
  return { total, page: ids && { ids, cached: rowsBy(ids, rowOf) }, nowUtc: fromSeconds(index.now) };
}

/** Returns the total, and the ids of a page. These are undefined if the index has no such order. */
function idsOn(
  index: EventIndex,
  filter: EventFilter,
  page: Page,
  context: Asking,
): { readonly total: number; readonly ids: readonly number[] | undefined } {
  const selection = selectionOf(index, filter, context);
  const { orderby, order } = sortOf(filter.params);
  if (orderby !== 'start_date') return { total: selectedTotal(index, selection), ids: undefined };
  const part = { offset: offsetOf(page), size: page.size, isDescending: order === 'desc' };
  const { total, ids } = selectedPage(index, selection, part);
  return { total, ids: isBeyond(total, page) ? [] : ids };
}

function rowsBy(ids: readonly number[], rowOf: (id: number) => EventReadRow | undefined): Map<number, EventReadRow> {
  const rows = ids.map(rowOf).filter((row) => row !== undefined);
  return new Map(rows.map((row) => [row.id, row]));
}
