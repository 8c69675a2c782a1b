import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changeRecordState, changesMade } from '../database/cache/recent-changes.js';
import type { Transaction } from '../database/connection/transaction.js';
import { Database } from '../database/database.js';
import type { Row } from '../database/sql/row-batches.js';
import { TABLES } from '../database/sql/tables.js';
import { apiError, mustHave } from '../errors/api-error.js';
import type { Problems } from '../errors/problems.js';
import { allOf, condition, isOneOf } from '../kernel/sql-condition.js';
import { parseDate } from '../kernel/time/date-input.js';
import { checkPageExists, filtersOf, postCollection } from '../platform/http/responses/collection-reply.js';
import type { Input } from '../platform/http/fields/input.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import { type Reply, replyOf, type WrittenReply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { writeReply } from '../platform/http/responses/record-reply.js';
import { WebhookDispatcher } from './dispatch/dispatcher.js';
import { MESSAGE_FILTERS, type MessageParams, type ReplayDto } from './webhook.dto.js';
import type { WebhookRow } from './webhook.entity.js';
import type { WebhookMessageRow } from './webhook-message.entity.js';
import { messageIdOf, messageRow, newMessage } from './webhook.messages.js';
import { presentMessage } from './webhook.presenter.js';
import { findMessages, getWebhook } from './webhook.store.js';
import { isWanted, TEST_TYPE, toldChange } from './webhook.types.js';

const ACCEPTED = 202;
const TEST_ID_BYTES = 8;
/** Changes of one replay, which is one transaction. */
const MAX_REPLAYED = 20_000;
/** Ids in one statement. */
const IDS = 500;

/** The messages of a webhook: what was sent, and sending again (webhooks section 1). */
@Injectable()
export class WebhookMessagesService {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: WebhookDispatcher,
  ) {}

  async list(id: number, { dto, problems }: Input<MessageParams>, context: RequestContext): Promise<Reply> {
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    await getWebhook(this.database, id);
    const { state, type, record_id } = dto;
    const where = allOf([
      condition('webhook_id = ?', id),
      ...(state === undefined ? [] : [isOneOf('state', state)]),
      ...(type === undefined ? [] : [condition('type = ?', type)]),
      ...(record_id === undefined ? [] : [condition('record_id = ?', record_id)]),
    ]);
    const page = requestedPage(dto, context);
    const { total, rows } = await findMessages(this.database, where, page);
    checkPageExists(total, page, 'webhook-archive-page-not-found');
    const filters = filtersOf(dto, MESSAGE_FILTERS);
    const items = rows.map(presentMessage);
    return postCollection({ name: 'messages', path: `webhooks/${id}/messages`, items, total, page, filters }, context);
  }

  /** Sends a message of the type `webhook.test`. */
  test(id: number, { problems }: Input<object>, context: RequestContext): Promise<WrittenReply> {
    return this.write(problems, context, async (tx) => {
      await getWebhook(tx, id, tx.dialect.forUpdate);
      const { epoch } = await changeRecordState(tx);
      const occasion = { epoch, webhookId: id, nowUtc: context.nowUtc };
      const messageId = messageIdOf(occasion, `t${randomBytes(TEST_ID_BYTES).toString('hex')}`);
      const record = { record_type: 'webhook', record_id: id, change_id: 0, made_utc: context.nowUtc };
      await tx.insert(TABLES.webhookMessages, messageRow(occasion, messageId, { type: TEST_TYPE, ...record }));
      return presentMessage(await getMessage(tx, id, messageId));
    });
  }

  /** Sends a message again, at once and with the same id. */
  resend(id: number, messageId: string, { problems }: Input<object>, context: RequestContext): Promise<WrittenReply> {
    return this.write(problems, context, async (tx) => {
      await getWebhook(tx, id, tx.dialect.forUpdate);
      await getMessage(tx, id, messageId);
      await requeue(tx, [messageId], context.nowUtc);
      return presentMessage(await getMessage(tx, id, messageId));
    });
  }

  /** Sends the messages of all changes of a time span again, with the same ids. Throws 410 if some may be missing. */
  replay(id: number, { dto, problems }: Input<ReplayDto>, context: RequestContext): Promise<WrittenReply> {
    const { nowUtc } = context;
    const fromUtc = instantOf('from', dto.from, context, problems) ?? nowUtc;
    const toUtc = instantOf('to', dto.to, context, problems) ?? nowUtc;
    if (problems.isEmpty && toUtc < fromUtc) problems.add('to', 'rest_conflict', 'must not be before from.');
    return this.write(problems, context, async (tx) => {
      const webhook = await getWebhook(tx, id, tx.dialect.forUpdate);
      const { epoch, purgedBeforeUtc } = await changeRecordState(tx);
      if (purgedBeforeUtc !== null && fromUtc < purgedBeforeUtc) {
        throw apiError('changes-token-expired', { data: { reason: 'age' } });
      }
      const messages = await messagesMade(tx, webhook, { fromUtc, toUtc, epoch, nowUtc });
      const known = await requeue(
        tx,
        messages.map(({ message_id }) => String(message_id)),
        nowUtc,
      );
      await tx.insertMany(
        TABLES.webhookMessages,
        messages.filter(({ message_id }) => !known.has(String(message_id))),
      );
      await tx.execute(`UPDATE ${TABLES.webhooks} SET missed_before_utc = NULL WHERE id = ?`, [id]);
      return { queued: messages.length };
    });
  }

  /** Writes and answers 202: the messages are sent after the response. */
  private async write(
    problems: Problems,
    context: RequestContext,
    work: (tx: Transaction) => Promise<object>,
  ): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    const reply = await writeReply(this.database, context, async (tx) =>
      replyOf({ body: await work(tx), status: ACCEPTED }),
    );
    this.dispatcher.wake();
    return reply;
  }
}

async function getMessage(tx: Transaction, webhookId: number, messageId: string): Promise<WebhookMessageRow> {
  const [row] = await tx.query<WebhookMessageRow>(
    `SELECT * FROM ${TABLES.webhookMessages} WHERE webhook_id = ? AND message_id = ?`,
    [webhookId, messageId],
  );
  if (row === undefined) throw apiError('rest-webhook-message-not-found', { params: { which: `"${messageId}"` } });
  return row;
}

function instantOf(
  name: string,
  value: string | number | undefined,
  { site, nowUtc }: RequestContext,
  problems: Problems,
): string | undefined {
  if (value === undefined || problems.has(name)) return undefined;
  const parsed = parseDate(value, site.timeZone, nowUtc);
  if (parsed === undefined) problems.add(name, 'rest_invalid_date', 'is not a date in a supported format.');
  return parsed?.utc;
}

interface ReplaySpan {
  readonly fromUtc: string;
  readonly toUtc: string;
  readonly epoch: string;
  readonly nowUtc: string;
}

/** Returns the messages of the changes of a span, one each, that the webhook has taken. Later ones are still to come. */
async function messagesMade(
  tx: Transaction,
  { id: webhookId, audience, types, position_seq: seq, position_id }: WebhookRow,
  { fromUtc, toUtc, epoch, nowUtc }: ReplaySpan,
): Promise<Row[]> {
  const upTo = position_id === 0 ? { seq } : { seq, id: position_id };
  const readership = audience === 'all' ? 'all' : 'listed';
  const rows = await changesMade(tx, { fromUtc, toUtc, upTo, readership, limit: MAX_REPLAYED + 1 });
  if (rows.length > MAX_REPLAYED) throw tooMany();
  const words = types.split(',');
  return rows
    .map((row) => toldChange(row, audience))
    .filter((change) => change !== undefined && isWanted(words, change.type))
    .map((change) => newMessage({ epoch, webhookId, nowUtc }, change!));
}

function tooMany() {
  const text = `to spans more than ${MAX_REPLAYED} changes: replay a shorter time.`;
  const detail = { code: 'rest_out_of_bounds', message: text, data: null };
  return apiError('rest_invalid_param', {
    params: { names: 'to' },
    data: { params: { to: text }, details: { to: detail } },
  });
}

/** Makes messages due at once. Returns the ids of those that exist. */
async function requeue(tx: Transaction, messageIds: readonly string[], nowUtc: string): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < messageIds.length; at += IDS) {
    const { sql, params } = isOneOf('message_id', messageIds.slice(at, at + IDS));
    const rows = await tx.query<{ message_id: string }>(
      `SELECT message_id FROM ${TABLES.webhookMessages} WHERE ${sql}`,
      params,
    );
    for (const { message_id } of rows) known.add(message_id);
    await tx.execute(
      `UPDATE ${TABLES.webhookMessages}
       SET state = 'pending', due_utc = ?, leased = 0, tries = 0, ended_utc = NULL WHERE ${sql}`,
      [nowUtc, ...params],
    );
  }
  return known;
}
