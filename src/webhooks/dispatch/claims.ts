import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import type { WebhookMessageRow } from '../webhook-message.entity.js';
import type { WebhookRow } from '../webhook.entity.js';
import { utcAfter } from './retry-schedule.js';

/** How long a claimed message belongs to a process. A process that dies loses it, and another one sends it. */
const LEASE_MS = 60_000;
/** The least rest of a lease with which an attempt begins: an attempt takes 15 s at most. */
const LEAST_LEASE_MS = 20_000;

/** A message that this process may send until its lease ends. */
export interface ClaimedMessage {
  readonly id: number;
  readonly webhookId: number;
  /** By `performance.now()`. */
  readonly leaseEnd: number;
}

/** An active webhook, as the dispatcher sees it at every turn. */
export interface WatchedWebhook extends Pick<WebhookRow, 'id' | 'position_seq' | 'position_id' | 'failing_since_utc'> {
  readonly not_before_utc: string | null;
  /** When the first message is due. null: none waits. */
  readonly next_due: string | null;
  /** The number of the last commit. */
  readonly version: number;
}

/** What an attempt needs of its message and its webhook, as they are when it begins. */
export type DueMessage = Omit<WebhookMessageRow, 'state' | 'due_utc' | 'leased' | 'created_utc' | 'ended_utc'> &
  Pick<WebhookRow, 'url' | 'audience' | 'payload' | 'secret' | 'previous_secret' | 'previous_until_utc'>;

/** Claims messages for this process, so that no two processes send one at the same time (webhooks rule 3.2). */
@Injectable()
export class Claims {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the active webhooks. Each costs one row of an index. */
  watched(): Promise<WatchedWebhook[]> {
    return this.database.withDeadlineFor('read', () =>
      this.database.query<WatchedWebhook>(
        `SELECT w.id, w.position_seq, w.position_id, w.failing_since_utc, w.not_before_utc, v.version,
         (SELECT m.due_utc FROM ${TABLES.webhookMessages} m WHERE m.webhook_id = w.id AND m.state = 'pending'
          ORDER BY m.due_utc LIMIT 1) AS next_due
         FROM ${TABLES.webhooks} w JOIN ${TABLES.dataVersion} v ON v.id = 1 WHERE w.active = 1`,
      ),
    );
  }

  /** Claims due messages: at most so many of each webhook. */
  async claim(tx: Transaction, wanted: ReadonlyMap<number, number>): Promise<ClaimedMessage[]> {
    const leaseEnd = performance.now() + LEASE_MS;
    const claimed: ClaimedMessage[] = [];
    for (const [webhookId, limit] of wanted) {
      const rows = await tx.query<{ id: number }>(
        `SELECT id FROM ${TABLES.webhookMessages} WHERE webhook_id = ? AND state = 'pending' AND due_utc <= ?
         ORDER BY due_utc, id LIMIT ?${tx.dialect.forUpdateSkipLocked}`,
        [webhookId, this.clock.now(), limit],
      );
      claimed.push(...rows.map(({ id }) => ({ id, webhookId, leaseEnd })));
    }
    if (claimed.length === 0) return claimed;
    const { sql, params } = isOneOf('id', idsOf(claimed));
    const lease = `UPDATE ${TABLES.webhookMessages} SET due_utc = ?, leased = 1 WHERE ${sql}`;
    await tx.execute(lease, [utcAfter(this.clock, LEASE_MS), ...params]);
    return claimed;
  }

  /** Gives claimed messages back, so that they are due at once. */
  async release(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const { sql, params } = isOneOf('id', ids);
    await tx.execute(
      `UPDATE ${TABLES.webhookMessages} SET due_utc = ?, leased = 0 WHERE state = 'pending' AND leased = 1 AND ${sql}`,
      [this.clock.now(), ...params],
    );
  }

  /** Returns those of claimed messages that may still be sent: their webhook is neither deleted nor paused, say. */
  async load(claimed: readonly ClaimedMessage[]): Promise<DueMessage[]> {
    const held = claimed.filter(({ leaseEnd }) => performance.now() <= leaseEnd - LEAST_LEASE_MS);
    if (held.length === 0) return [];
    const { sql, params } = isOneOf('m.id', idsOf(held));
    return this.database.withDeadlineFor('read', () =>
      this.database.query<DueMessage>(
        `SELECT m.id, m.webhook_id, m.message_id, m.type, m.record_type, m.record_id, m.change_id, m.made_utc, m.tries,
         m.attempts, w.url, w.audience, w.payload, w.secret, w.previous_secret, w.previous_until_utc
         FROM ${TABLES.webhookMessages} m JOIN ${TABLES.webhooks} w ON w.id = m.webhook_id
         WHERE ${sql} AND m.state = 'pending' AND w.active = 1 AND (w.not_before_utc IS NULL OR w.not_before_utc <= ?)`,
        [...params, this.clock.now()],
      ),
    );
  }
}

function idsOf(messages: readonly ClaimedMessage[]): number[] {
  return messages.map(({ id }) => id);
}
