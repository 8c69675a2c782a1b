import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import {
  type AudienceChange,
  type ChangePosition,
  changeRecordState,
  changesAfter,
} from '../../database/cache/recent-changes.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { TABLES } from '../../database/sql/tables.js';
import { groupedBy } from '../../kernel/grouped.js';
import { allOf, condition, isOneOf } from '../../kernel/sql-condition.js';
import { newMessage } from '../webhook.messages.js';
import type { WebhookMessageRow } from '../webhook-message.entity.js';
import type { WebhookRow } from '../webhook.entity.js';
import { type Audience, isWanted, lastOfEach, merged, type ToldChange, toldChange } from '../webhook.types.js';

/** Changes that a webhook takes in one transaction (webhooks rule 3.1). */
const MAX_CHANGES = 500;

type Follower = Pick<WebhookRow, 'id' | 'types' | 'audience' | 'position_seq' | 'position_id'>;

/** The condition for webhooks with changes behind their position. A position inside a commit may have some. */
const IS_BEHIND = 'active = 1 AND (position_seq < ? OR position_id > 0)';

/** What one transaction has done. */
interface FannedOut {
  /** The webhooks that have got messages. */
  readonly webhookIds: readonly number[];
  readonly hasMore: boolean;
}

/**
 * Makes messages of the changes behind the position of each webhook, and moves the positions, in one transaction. So every
 * change becomes one message, however many processes do this. The write itself does nothing for webhooks.
 */
@Injectable()
export class FanOut {
  constructor(private readonly clock: Clock) {}

  /** `most`: about how many messages to make at once, which limits the time for which the transaction locks rows. */
  async run(tx: Transaction, most: number): Promise<FannedOut> {
    const { version, epoch } = await changeRecordState(tx);
    const followers = await tx.query<Follower>(
      `SELECT id, types, audience, position_seq, position_id FROM ${TABLES.webhooks}
       WHERE ${IS_BEHIND} ORDER BY id${tx.dialect.forUpdateSkipLocked}`,
      [version],
    );
    const nowUtc = this.clock.now();
    const webhookIds: number[] = [];
    let [hasMore, count] = [false, 0];
    for (const group of groupsOf(followers)) {
      if (count >= most) return { webhookIds, hasMore: true };
      const { audience, position_seq, position_id } = group[0]!;
      const after = positionOf(position_seq, position_id);
      const readership = audience === 'all' ? 'all' : 'listed';
      const limit = Math.min(MAX_CHANGES, Math.ceil(most / group.length));
      const rows = await changesAfter(tx, tx.dialect, { after, upTo: version, readership, limit });
      const wanted = messagesFor(group, audience, rows);
      const changes = audience === 'all' ? wanted : await withoutWaiting(tx, wanted, nowUtc);
      const messages = changes.map(({ webhookId, change }) => newMessage({ epoch, webhookId, nowUtc }, change));
      await tx.insertMany(TABLES.webhookMessages, messages);
      await move(tx, group, rows.length < limit ? { seq: version } : rows.at(-1)!);
      webhookIds.push(...new Set(changes.map(({ webhookId }) => webhookId)));
      hasMore ||= rows.length === limit;
      count += messages.length;
    }
    return { webhookIds, hasMore };
  }
}

/** Returns the webhooks of each audience at each position: most have the same, so that the changes are read once. */
function groupsOf(followers: readonly Follower[]): Follower[][] {
  const keyOf = (follower: Follower) => `${follower.audience} ${follower.position_seq} ${follower.position_id}`;
  return [...groupedBy(followers, keyOf).values()];
}

function positionOf(seq: number, id: number): ChangePosition {
  return id === 0 ? { seq } : { seq, id };
}

/** A change that a webhook is told of. */
interface Wanted {
  readonly webhookId: number;
  readonly change: ToldChange;
}

function messagesFor(group: readonly Follower[], audience: Audience, rows: readonly AudienceChange[]): Wanted[] {
  const told = oncePerCommit(rows)
    .map((row) => toldChange(row, audience))
    .filter((change) => change !== undefined);
  return group.flatMap(({ id: webhookId, types }) => {
    const words = types.split(',');
    const wanted = told.filter(({ type }) => isWanted(words, type));
    return (audience === 'all' ? wanted : lastOfEach(wanted)).map((change) => ({ webhookId, change }));
  });
}

/** A change of a record with a new and a former owner has two rows in its commit (post.change.ts). */
function oncePerCommit(rows: readonly AudienceChange[]): AudienceChange[] {
  const last = new Map(rows.map((row) => [`${row.seq} ${row.kind} ${row.record_id}`, row]));
  return [...last.values()];
}

type Waiting = Pick<WebhookMessageRow, 'id' | 'webhook_id' | 'type' | 'record_type' | 'record_id' | 'tries'>;

/**
 * Replaces messages of the same records that still wait for the same webhook, unless a process is sending them. Returns the
 * changes, a record that is not known yet as created.
 */
async function withoutWaiting(tx: Transaction, changes: readonly Wanted[], nowUtc: string): Promise<Wanted[]> {
  if (changes.length === 0) return [];
  const { sql, params } = allOf([
    isOneOf('webhook_id', [...new Set(changes.map(({ webhookId }) => webhookId))]),
    isOneOf('record_id', [...new Set(changes.map(({ change }) => change.recordId))]),
    condition(`state = 'pending' AND leased = 0 AND change_id > 0`),
  ]);
  const waiting = await tx.query<Waiting>(
    `SELECT id, webhook_id, type, record_type, record_id, tries FROM ${TABLES.webhookMessages}
     WHERE ${sql} ORDER BY id${tx.dialect.forUpdateSkipLocked}`,
    params,
  );
  const keyOf = (webhookId: number, type: string, id: number) => `${webhookId} ${type} ${id}`;
  const keyOfWaiting = (row: Waiting) => keyOf(row.webhook_id, row.record_type, row.record_id);
  const keyOfWanted = ({ webhookId, change }: Wanted) => keyOf(webhookId, change.recordType, change.recordId);
  const keys = new Set(changes.map(keyOfWanted));
  await replace(
    tx,
    waiting.filter((row) => keys.has(keyOfWaiting(row))),
    nowUtc,
  );
  const byKey = new Map(waiting.map((row) => [keyOfWaiting(row), row]));
  return changes.map((wanted) => {
    const before = byKey.get(keyOfWanted(wanted));
    return before === undefined ? wanted : { ...wanted, change: merged(before.type, wanted.change) };
  });
}

/** Messages that were tried stay in the list of messages. */
async function replace(tx: Transaction, messages: readonly Waiting[], nowUtc: string): Promise<void> {
  const change = async (statement: string, params: readonly string[], rows: readonly Waiting[]) => {
    const ids = rows.map(({ id }) => id);
    const which = isOneOf('id', ids);
    if (ids.length > 0) await tx.execute(`${statement} WHERE ${which.sql}`, [...params, ...which.params]);
  };
  const isTried = ({ tries }: Waiting) => tries > 0;
  const drop = `UPDATE ${TABLES.webhookMessages} SET state = 'dropped', due_utc = NULL, ended_utc = ?`;
  await change(
    `DELETE FROM ${TABLES.webhookMessages}`,
    [],
    messages.filter((message) => !isTried(message)),
  );
  await change(drop, [nowUtc], messages.filter(isTried));
}

async function move(tx: Transaction, group: readonly Follower[], { seq, id = 0 }: ChangePosition): Promise<void> {
  const { sql, params } = isOneOf(
    'id',
    group.map((follower) => follower.id),
  );
  await tx.execute(`UPDATE ${TABLES.webhooks} SET position_seq = ?, position_id = ? WHERE ${sql}`, [
    seq,
    id,
    ...params,
  ]);
}
