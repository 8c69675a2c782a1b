import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { ANONYMOUS } from '../../kernel/caller.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { allOf, condition, isOneOf } from '../../kernel/sql-condition.js';
import { Clock } from '../../config/clock.js';
import { loggedError } from '../../errors/logged-error.js';
import { waitForStep } from '../../config/timeout.js';
import { Log } from '../../platform/observability/log.js';
import { recordEventsOf } from '../../linked-posts/linked-post.return.js';
import type { PostKind } from '../../posts/post.kind.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import { LINKED, LINKED_NAMES } from '../event.link-kinds.js';

/** The interval between searches for due records. */
const PERIOD_MS = 60_000;
/** Limits the time for which a transaction locks records. */
const MAX_RECORDS_PER_TRANSACTION = 200;
/** Who makes these changes, in the change record: no user. */
const SYSTEM = ANONYMOUS;
const LINKED_KINDS = LINKED_NAMES.map((name) => LINKED[name].kind);
/** Linked records first, so that a copy knows the venue of an event that is due at the same time. */
const KINDS: readonly PostKind[] = [...LINKED_KINDS, EVENT];

/**
 * Stores due scheduled records as published. They are public at their date even without it (contract section 4). But
 * only the change record tells programs that keep a copy (changes rule 5).
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

  /** Stores due records as published, except those that another transaction has locked. Logs errors. */
  async publishDue(): Promise<void> {
    try {
      for (const kind of KINDS) {
        // SQLite queries block the process, so that requests need a chance to run in between.
        while (!this.isStopping && (await this.publishBatch(kind)) > 0) await yieldToRequests();
      }
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'scheduled records were not stored as published' });
    }
  }

  /** Publishes one batch and returns its size. */
  private async publishBatch(kind: PostKind): Promise<number> {
    const ids = await this.dueIds(kind);
    if (ids.length === 0) return 0;
    const nowUtc = this.clock.now();
    return this.database.withDeadlineFor('write', () =>
      this.database.inTransaction((tx) => publish(tx, kind, ids, nowUtc)),
    );
  }

  private async dueIds({ table }: PostKind): Promise<number[]> {
    const { sql, params } = isDue(this.clock.now());
    const rows = await this.database.withDeadlineFor('read', () =>
      this.database.query<{ id: number }>(
        `SELECT p.id FROM ${table} p WHERE ${sql} ORDER BY p.public_from LIMIT ${MAX_RECORDS_PER_TRANSACTION}`,
        params,
      ),
    );
    return rows.map(({ id }) => id);
  }
}

function isDue(nowUtc: UtcTime) {
  return condition("p.status = 'future' AND p.public_from <= ?", nowUtc);
}

/** Publishes the records that are still due and not locked. Locks them by id like other writes. Returns their number. */
async function publish(
  tx: Transaction,
  { table, noun }: PostKind,
  ids: readonly number[],
  nowUtc: UtcTime,
): Promise<number> {
  const { sql, params } = allOf([isOneOf('p.id', ids), isDue(nowUtc)]);
  const isEvent = table === TABLES.events;
  const columns = ['id', 'author_id', ...(isEvent ? ['hide_from_listings'] : [])];
  const posts = await tx.query<EventRow>(
    `SELECT ${columns.map((column) => `p.${column}`).join(', ')} FROM ${table} p${tx.dialect.byId}
     WHERE ${sql} ORDER BY p.id${tx.dialect.forUpdateSkipLocked}`,
    params,
  );
  if (posts.length === 0) return 0;
  const locked = isOneOf(
    'id',
    posts.map(({ id }) => id),
  );
  await tx.execute(`UPDATE ${table} SET status = 'publish' WHERE ${locked.sql}`, locked.params);
  for (const { id, author_id: ownerId, hide_from_listings } of posts) {
    const audience = { before: false, after: hide_from_listings !== 1, ownerId };
    tx.recordChange(`${noun}.published`, id, SYSTEM.userId, audience);
  }
  const linked = LINKED_KINDS.find((kind) => kind.table === table);
  const published = posts.map(({ id }) => id);
  if (linked !== undefined) await recordEventsOf(tx, linked, published, { caller: SYSTEM, nowUtc });
  return posts.length;
}
