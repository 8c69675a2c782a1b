import { setImmediate as yieldToRequests } from 'node:timers/promises';
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

/** The interval between searches for due events. */
const PERIOD_MS = 60_000;
/** Limits the time for which a transaction locks events. */
const MAX_EVENTS_PER_TRANSACTION = 200;
/** The user id of these changes in the change record. */
const SYSTEM_USER_ID = 0;

/**
 * Stores due scheduled events as published. They are public at their date even without it (contract section 4). But while
 * their stored status is `future`, each count of events must correct for them (kernel/visibility.ts).
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
      this.work = this.publishDue().finally(() => this.start());
    }, PERIOD_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await waitForStep(this.work);
  }

  /** Stores due events as published, except those that another transaction has locked. Logs errors. */
  async publishDue(): Promise<void> {
    try {
      let stored = -1;
      while (stored !== 0 && !this.isStopping) {
        stored = await this.publishBatch();
        // SQLite queries block the process, so that requests need a chance to run in between.
        await yieldToRequests();
      }
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'scheduled events were not stored as published' });
    }
  }

  /** Publishes one batch and returns its size. */
  private async publishBatch(): Promise<number> {
    const ids = await this.dueIds();
    if (ids.length === 0) return 0;
    const nowUtc = this.clock.now();
    return this.database.withDeadlineFor('write', () => this.database.inTransaction((tx) => publish(tx, ids, nowUtc)));
  }

  private async dueIds(): Promise<number[]> {
    const { sql, params } = isDue(this.clock.now());
    const rows = await this.database.withDeadlineFor('read', () =>
      this.database.query<{ id: number }>(
        `SELECT e.id FROM ${TABLES.events} e WHERE ${sql} ORDER BY e.public_from LIMIT ${MAX_EVENTS_PER_TRANSACTION}`,
        params,
      ),
    );
    return rows.map(({ id }) => id);
  }
}

function isDue(nowUtc: UtcTime) {
  return condition("e.status = 'future' AND e.public_from <= ?", nowUtc);
}

/** Publishes the events that are still due and not locked. Locks them by id like other writes. Returns their number. */
async function publish(tx: Transaction, ids: readonly number[], nowUtc: UtcTime): Promise<number> {
  const { sql, params } = allOf([isOneOf('e.id', ids), isDue(nowUtc)]);
  const events = await tx.query<EventRow>(
    `SELECT e.id, e.hide_from_listings, e.start_utc, e.end_utc FROM ${TABLES.events} e${tx.dialect.byId}
     WHERE ${sql} ORDER BY e.id${tx.dialect.forUpdateSkipLocked}`,
    params,
  );
  if (events.length === 0) return 0;
  const locked = isOneOf(
    'id',
    events.map(({ id }) => id),
  );
  await tx.execute(`UPDATE ${TABLES.events} SET status = 'publish' WHERE ${locked.sql}`, locked.params);
  await countPublished(tx, events);
  for (const { id } of events) tx.recordChange('event.published', id, SYSTEM_USER_ID);
  return events.length;
}
