import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { allOf, condition, isOneOf } from '../../kernel/sql-condition.js';
import { Clock } from '../../config/clock.js';
import { loggedError } from '../../errors/logged-error.js';
import { waitForStep } from '../../config/timeout.js';
import { Log } from '../../platform/observability/log.js';
import { countPublished } from '../totals/stored-counts.js';
import type { EventRow } from '../event.entity.js';

/** How often events are looked for whose date has come, in milliseconds. */
const PERIOD = 60_000;
const EVENTS_A_TRANSACTION = 200;
/** In the change record: the clock did it. */
const NOBODY = 0;

/**
 * Stores scheduled events as published once their date has come. Everybody sees them at that moment, without this
 * (contract section 4); but as long as they are stored as scheduled they are counted one by one (kernel/overtaken.ts).
 */
@Injectable()
export class ScheduledPublisher implements BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  start(): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.work = this.keepUp().finally(() => this.start());
    }, PERIOD).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await waitForStep(this.work);
  }

  /** Stores all whose date has come and that nobody else is writing; after an error, the next time. */
  async keepUp(): Promise<void> {
    try {
      let stored = -1;
      while (stored !== 0 && !this.isStopping) {
        stored = await this.storeSome();
        // An embedded database answers within the turn: others have theirs in between.
        await nextTurn();
      }
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'scheduled events were not stored as published' });
    }
  }

  /** Answers how many it has stored. */
  private async storeSome(): Promise<number> {
    const ids = await this.due();
    if (ids.length === 0) return 0;
    const nowUtc = this.clock.now();
    return this.database.withDeadlineFor('writing', () =>
      this.database.inTransaction((tx) => publish(tx, ids, nowUtc)),
    );
  }

  private async due(): Promise<number[]> {
    const { sql, params } = isDue(this.clock.now());
    const rows = await this.database.withDeadlineFor('reading', () =>
      this.database.query<{ id: number }>(
        `SELECT e.id FROM ${TABLES.events} e WHERE ${sql} ORDER BY e.public_from LIMIT ${EVENTS_A_TRANSACTION}`,
        params,
      ),
    );
    return rows.map(({ id }) => id);
  }
}

function isDue(nowUtc: UtcTime) {
  return condition("e.status = 'future' AND e.public_from <= ?", nowUtc);
}

/** Those of the events that are still due, and free, taken by their ids, as other writes take an event. Answers how many. */
async function publish(tx: Transaction, ids: readonly number[], nowUtc: UtcTime): Promise<number> {
  const { sql, params } = allOf([isOneOf('e.id', ids), isDue(nowUtc)]);
  const events = await tx.query<EventRow>(
    `SELECT e.id, e.hide_from_listings, e.start_utc, e.end_utc FROM ${TABLES.events} e${tx.dialect.byId}
     WHERE ${sql} ORDER BY e.id${tx.dialect.forUpdateSkipLocked}`,
    params,
  );
  if (events.length === 0) return 0;
  const taken = isOneOf(
    'id',
    events.map(({ id }) => id),
  );
  await tx.execute(`UPDATE ${TABLES.events} SET status = 'publish' WHERE ${taken.sql}`, taken.params);
  await countPublished(tx, events);
  for (const { id } of events) tx.note('event.published', id, NOBODY);
  return events.length;
}
