import { Injectable } from '@nestjs/common';
import { ReadCache } from '../../database/cache/read-cache.js';
import { Transaction } from '../../database/connection/transaction.js';
import type { Sql } from '../../database/sql/dialect.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import { type CountedTerms, TermCounts, type TermCountSource } from '../../terms/term.counts.js';
import { EVENT } from '../event.kind.js';
import { type EventReadRow, idsOf } from '../event.query.js';
import type { EventIndex } from './event-index.js';
import { FollowedEvents } from './followed-events.js';

/** Counts the public events of terms by the index of events. */
@Injectable()
export class IndexedCounts implements TermCountSource {
  constructor(
    private readonly events: FollowedEvents,
    counts: TermCounts,
  ) {
    counts.source = this;
  }

  /**
   * Returns the counts of a request, if the index is loaded. A transaction counts its own event in, if `rows` has the row as
   * the transaction has it. undefined: only SQL knows what the transaction has changed.
   */
  async countsFor(sql: Sql, rows: readonly EventReadRow[] = []): Promise<CountedTerms | undefined> {
    const own = sql instanceof Transaction ? rows : [];
    if (sql instanceof Transaction && !knowsAll(rows, sql.changedIds(EVENT.noun))) return undefined;
    const loaded = this.events.ifLoaded(sql instanceof ReadCache ? sql.state : undefined);
    // A transaction goes on by SQL if the index does not get there in time.
    const index = await (sql instanceof Transaction ? loaded.catch(() => undefined) : loaded);
    if (index === undefined) return undefined;
    return {
      countOf: (id) => index.keys.publicEventsOf('term', id) + differenceBy(index, own, id),
      usedIds: () => index.keys.usedTerms(),
    };
  }

  /** Returns the counts at the commits that the index has. undefined: it does not know those at this time. */
  countsAt(nowUtc: UtcTime): Pick<CountedTerms, 'countOf'> | undefined {
    const index = this.events.indexAt(nowUtc);
    return index && { countOf: (id) => index.keys.publicEventsOf('term', id) };
  }

  withRecords(sql: ReadCache): Promise<ReadCache> {
    return this.events.withRecords(sql);
  }
}

function knowsAll(rows: readonly EventReadRow[], ids: readonly number[]): boolean {
  return ids.every((id) => rows.some((row) => row.id === id));
}

/** Returns what rows that are not committed yet add to the public events of a term. */
function differenceBy(index: EventIndex, rows: readonly EventReadRow[], termId: number): number {
  const isPublic = ({ public_from }: EventReadRow) => public_from !== null && toSeconds(public_from) <= index.now;
  return rows.reduce((sum, row) => {
    const after = isPublic(row) && idsOf(row.term_ids).includes(termId);
    return sum + Number(after) - Number(index.isPublicWithTerm(row.id, termId));
  }, 0);
}
