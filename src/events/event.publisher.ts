import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TABLES } from '../database/tables.js';
import type { Transaction } from '../database/transaction.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { allOf, condition, isOneOf } from '../kernel/condition.js';
import { Clock } from '../platform/clock.js';
import { loggedError } from '../platform/errors/logged-error.js';
import { Log } from '../platform/observability/log.js';
import { countPublished } from './event.counts.js';
import type { EventRow } from './event.entity.js';

/** How often events are looked for whose date has come, in milliseconds. */
const PERIOD = 60_000;
const EVENTS_A_TRANSACTION = 200;
/** How long a stop waits for the transaction under way, in milliseconds. */
const STEP_ENDS = 1_000;
/** In the change record: the clock did it. */
const NOBODY = 0;

/**
 * Stores scheduled events as published once their date has come. Everybody sees them at that moment, without this
 * (contract section 4); but as long as they are stored as scheduled they are counted one by one (kernel/overtaken.ts).
 */
@Injectable()
export class EventPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => {
      this.work = this.keepUp().finally(() => this.isStopping || this.onApplicationBootstrap());
    }, PERIOD).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    // The next process goes on where this one ends.
    await Promise.race([this.work, sleep(STEP_ENDS, undefined, { ref: false })]);
  }

  /** Stores all whose date has come; where the database cannot be reached, the next time. */
  async keepUp(): Promise<void> {
    try {
      let due = await this.due();
      while (due.length > 0 && !this.isStopping) {
        const [ids, nowUtc] = [due, this.clock.now()];
        await this.database.inTimeFor('writing', () => this.database.inTransaction((tx) => publish(tx, ids, nowUtc)));
        due = await this.due();
      }
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'scheduled events were not stored as published' });
    }
  }

  private async due(): Promise<number[]> {
    const { sql, params } = isDue(this.clock.now());
    const rows = await this.database.inTimeFor('reading', () =>
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

/** Those of the events that are still due. They are taken by their ids, as other writes take an event. */
async function publish(tx: Transaction, ids: readonly number[], nowUtc: UtcTime): Promise<void> {
  const { sql, params } = allOf([isOneOf('e.id', ids), isDue(nowUtc)]);
  const events = await tx.query<EventRow>(
    `SELECT e.id, e.hide_from_listings, e.start_utc, e.end_utc FROM ${TABLES.events} e${tx.dialect.byId}
     WHERE ${sql} ORDER BY e.id${tx.dialect.forUpdate}`,
    params,
  );
  if (events.length === 0) return;
  const taken = isOneOf(
    'id',
    events.map(({ id }) => id),
  );
  await tx.execute(`UPDATE ${TABLES.events} SET status = 'publish' WHERE ${taken.sql}`, taken.params);
  await countPublished(
    tx,
    events.map((event) => ({ ...event, status: 'publish' as const })),
  );
  for (const { id } of events) tx.note('event.published', id, NOBODY);
}
