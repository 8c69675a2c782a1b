import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { TABLES } from '../../database/sql/tables.js';
import { addSeconds } from '../../kernel/time/calendar-arithmetic.js';
import { groupedBy } from '../../kernel/grouped.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import type { MessageState } from '../webhook-message.entity.js';
import { type Attempt, withAttempt } from '../webhook.attempts.js';
import type { DueMessage } from './claims.js';
import type { DeliveryResult } from './delivery.js';
import { retryAfterSeconds, retryDelay, utcAfter } from './retry-schedule.js';

/** Responses by which a receiver asks for a pause (webhooks rule 3.4). */
const PAUSING = [429, 502, 503, 504];
const GONE = 410;
/** A webhook is disabled after so long without a success (webhooks rule 3.5). */
const FAILING_SECONDS = 5 * 86_400;
const FAILING_ATTEMPTS = 20;

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly message: DueMessage;
  readonly attempt: Attempt;
  readonly result: DeliveryResult;
}

/** What becomes of a message. */
interface Verdict {
  readonly state: MessageState;
  /** When the next attempt is due. null: there is none. */
  readonly dueUtc: string | null;
  /** Until when the receiver wants no message. */
  readonly pauseUtc?: string;
}

/** A webhook that was disabled. */
export interface DisabledWebhook {
  readonly webhookId: number;
  readonly reason: 'gone' | 'failing';
}

/** Stores the results of attempts, and disables webhooks whose receiver is gone or fails for days. */
@Injectable()
export class Results {
  constructor(private readonly clock: Clock) {}

  /** Stores results. Returns the webhooks that are disabled now. */
  async store(tx: Transaction, ended: readonly EndedAttempt[]): Promise<DisabledWebhook[]> {
    const nowUtc = this.clock.now();
    const judged = ended.map((one) => ({ ...one, verdict: this.judge(one) }));
    for (const alike of groupedBy(judged, ({ verdict }) => `${verdict.state} ${verdict.dueUtc}`).values())
      await storeMessages(tx, alike, nowUtc);
    const byWebhook = groupedBy(judged, ({ message }) => message.webhook_id);
    await storeSuccesses(
      tx,
      [...byWebhook].filter(([, own]) => own.some(isDelivered)).map(([id]) => id),
      nowUtc,
    );
    const disabled: DisabledWebhook[] = [];
    // In this order, so that two processes wait for each other in one direction only.
    for (const [id, own] of [...byWebhook].toSorted(([a], [b]) => a - b)) {
      const reason = own.every(isDelivered) ? undefined : await storeFailures(tx, id, own, nowUtc);
      if (reason !== undefined) disabled.push({ webhookId: id, reason });
    }
    return disabled;
  }

  private judge({ message, result }: EndedAttempt): Verdict {
    const { status, error, isUnwanted = false, retryAfter } = result;
    if (error === undefined) return { state: 'delivered', dueUtc: null };
    if (isUnwanted || status === GONE) return { state: 'dropped', dueUtc: null };
    const delay = retryDelay(message.tries + 1);
    if (delay === undefined) return { state: 'failed', dueUtc: null };
    const pause = PAUSING.includes(status) ? retryAfterSeconds(retryAfter, this.clock.milliseconds()) : undefined;
    const dueUtc = utcAfter(this.clock, (pause ?? delay) * 1000);
    return { state: 'pending', dueUtc, ...(pause === undefined ? {} : { pauseUtc: dueUtc }) };
  }
}

type Judged = EndedAttempt & { readonly verdict: Verdict };

function isDelivered({ result }: EndedAttempt): boolean {
  return result.error === undefined;
}

/** Stores the attempts of messages with the same verdict. */
async function storeMessages(tx: Transaction, alike: readonly Judged[], nowUtc: string): Promise<void> {
  const { state, dueUtc } = alike[0]!.verdict;
  const { sql, params } = isOneOf(
    'id',
    alike.map(({ message }) => message.id),
  );
  const attempts = alike.flatMap(({ message: { id, attempts }, attempt }) => [id, withAttempt(attempts, attempt)]);
  await tx.execute(
    `UPDATE ${TABLES.webhookMessages} SET state = ?, due_utc = ?, ended_utc = ?, leased = 0, tries = tries + 1,
     attempts = CASE id ${'WHEN ? THEN ? '.repeat(alike.length)}END WHERE ${sql} AND state = 'pending'`,
    [state, dueUtc, state === 'pending' ? null : nowUtc, ...attempts, ...params],
  );
}

async function storeSuccesses(tx: Transaction, webhookIds: readonly number[], nowUtc: string): Promise<void> {
  if (webhookIds.length === 0) return;
  const { sql, params } = isOneOf('id', webhookIds);
  await tx.execute(
    `UPDATE ${TABLES.webhooks} SET last_success_utc = ?, failing_since_utc = NULL, failures = 0 WHERE ${sql}`,
    [nowUtc, ...params],
  );
}

/** Returns why the webhook is disabled now, if it is. A success beside the failures counts more than they do. */
async function storeFailures(
  tx: Transaction,
  id: number,
  ended: readonly Judged[],
  nowUtc: string,
): Promise<DisabledWebhook['reason'] | undefined> {
  const [pauseUtc] = ended.flatMap(({ verdict }) => verdict.pauseUtc ?? []).sort((a, b) => (a < b ? 1 : -1));
  if (pauseUtc !== undefined) {
    const sql = `UPDATE ${TABLES.webhooks} SET not_before_utc = ? WHERE id = ?`;
    await tx.execute(sql, [pauseUtc, id]);
  }
  if (!ended.some(isDelivered)) {
    const failure = 'failures = failures + ?, failing_since_utc = COALESCE(failing_since_utc, ?)';
    await tx.execute(`UPDATE ${TABLES.webhooks} SET ${failure} WHERE id = ?`, [ended.length, nowUtc, id]);
  }
  if (ended.some(({ result }) => result.status === GONE)) {
    await dropPending(tx, id, nowUtc);
    return (await disable(tx, id, 'gone', nowUtc)) ? 'gone' : undefined;
  }
  return (await disable(tx, id, 'failing', nowUtc)) ? 'failing' : undefined;
}

/** Disables a webhook that is active, with the reason `failing` only if it has failed long enough. */
async function disable(
  tx: Transaction,
  id: number,
  reason: DisabledWebhook['reason'],
  nowUtc: string,
): Promise<boolean> {
  const isDue = reason === 'gone' ? '' : ' AND failures >= ? AND failing_since_utc <= ?';
  const changed = await tx.execute(
    `UPDATE ${TABLES.webhooks} SET active = 0, disabled_reason = ?, modified_utc = ?, revision = revision + 1
     WHERE id = ? AND active = 1${isDue}`,
    [reason, nowUtc, id, ...(isDue === '' ? [] : [FAILING_ATTEMPTS, addSeconds(nowUtc, -FAILING_SECONDS)])],
  );
  return changed > 0;
}

async function dropPending(tx: Transaction, webhookId: number, nowUtc: string): Promise<void> {
  const waiting = await tx.query<{ id: number }>(
    `SELECT id FROM ${TABLES.webhookMessages} WHERE webhook_id = ? AND state = 'pending'${tx.dialect.forUpdate}`,
    [webhookId],
  );
  const { sql, params } = isOneOf(
    'id',
    waiting.map(({ id }) => id),
  );
  await tx.execute(
    `UPDATE ${TABLES.webhookMessages} SET state = 'dropped', due_utc = NULL, leased = 0, ended_utc = ? WHERE ${sql}`,
    [nowUtc, ...params],
  );
}
