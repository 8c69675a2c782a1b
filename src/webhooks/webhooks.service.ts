import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { type ChangeToken, expiryOf, readToken } from '../database/cache/change-token.js';
import { changeRecordState } from '../database/cache/recent-changes.js';
import type { Transaction } from '../database/connection/transaction.js';
import { Database } from '../database/database.js';
import { TABLES } from '../database/sql/tables.js';
import { apiError, mustHave } from '../errors/api-error.js';
import type { Problems } from '../errors/problems.js';
import { addDays } from '../kernel/time/calendar-arithmetic.js';
import { checkPageExists, postCollection } from '../platform/http/responses/collection-reply.js';
import type { Input } from '../platform/http/fields/input.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import type { Reply, WrittenReply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import {
  checkIfMatch,
  createdReply,
  deletedReply,
  recordReply,
  writeReply,
} from '../platform/http/responses/record-reply.js';
import { WebhookDispatcher } from './dispatch/dispatcher.js';
import { NOW, type WebhookCreation, type WebhookDto, type WebhookParams } from './webhook.dto.js';
import type { WebhookRow } from './webhook.entity.js';
import { WebhookNetwork } from './webhook.network.js';
import { presentWebhook, type WebhookRecord } from './webhook.presenter.js';
import { newSecret } from './webhook.secret.js';
import { countWebhooks, findWebhooks, getWebhook } from './webhook.store.js';
import { typesOutside } from './webhook.types.js';

/** Locked while webhooks are counted, so that two requests do not both make the last one. */
const COUNT_LOCK = 'webhooks';
/** How long the former secret signs beside the new one (webhooks rule 3.3). */
const ROTATION_DAYS = 1;

/** The operations on webhooks, for administrators (webhooks section 1). */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly network: WebhookNetwork,
    private readonly dispatcher: WebhookDispatcher,
  ) {}

  async list({ dto, problems }: Input<WebhookParams>, context: RequestContext): Promise<Reply> {
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    const page = requestedPage(dto, context);
    const { total, rows } = await findWebhooks(this.database, page);
    checkPageExists(total, page, 'webhook-archive-page-not-found');
    const items = rows.map((row) => presentWebhook(row, context.urls));
    return postCollection({ name: 'webhooks', items, total, page, filters: [] }, context);
  }

  async read(id: number, context: RequestContext): Promise<Reply> {
    mustHave(context.caller, 'manage_webhooks');
    return recordReply(present(await getWebhook(this.database, id), context));
  }

  async create({ dto, problems }: Input<WebhookCreation>, context: RequestContext): Promise<WrittenReply> {
    const fields = fieldsOf(dto);
    this.check({ ...DEFAULTS, ...fields }, problems);
    const from = readFrom(dto, problems);
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    const secret = newSecret();
    const reply = await writeReply(this.database, context, async (tx) => {
      await tx.lockName(COUNT_LOCK);
      await this.mustHaveRoom(tx);
      const { nowUtc } = context;
      const id = await tx.insert(TABLES.webhooks, {
        ...DEFAULTS,
        ...fields,
        ...(await beginning(tx, from)),
        secret,
        created_utc: nowUtc,
        modified_utc: nowUtc,
      });
      return createdReply(present(await getWebhook(tx, id), context), 'webhooks', context);
    });
    this.dispatcher.wake();
    return withSecret(reply, secret);
  }

  async update(id: number, { dto, problems }: Input<WebhookDto>, context: RequestContext): Promise<WrittenReply> {
    const fields = fieldsOf(dto);
    const { caller } = context;
    // A wrong URL is reported before missing rights; what depends on the stored record is not.
    this.check(fields, problems);
    problems.throwIfAny();
    mustHave(caller, 'manage_webhooks');
    const reply = await writeReply(this.database, context, async (tx) => {
      const stored = await getWebhook(tx, id, tx.dialect.forUpdate);
      checkIfMatch(context, stored.revision);
      this.check({ ...stored, ...fields }, problems);
      problems.throwIfAny();
      if (Object.keys(fields).length === 0) return recordReply(present(stored, context));
      await tx.update(TABLES.webhooks, id, {
        ...fields,
        ...activation(dto),
        modified_utc: context.nowUtc,
        revision: stored.revision + 1,
      });
      return recordReply(present(await getWebhook(tx, id), context));
    });
    this.dispatcher.wake();
    return reply;
  }

  /** Deletes a webhook. Its messages are not sent any more; `purge` removes them. */
  async remove(id: number, { problems }: Input<object>, context: RequestContext): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    return writeReply(this.database, context, async (tx) => {
      const stored = await getWebhook(tx, id, tx.dialect.forUpdate);
      checkIfMatch(context, stored.revision);
      await tx.execute(`DELETE FROM ${TABLES.webhooks} WHERE id = ?`, [id]);
      return deletedReply(presentWebhook(stored, context.urls));
    });
  }

  /** Gives a webhook a new secret. The former one also signs for a day. */
  async rotate(id: number, { problems }: Input<object>, context: RequestContext): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, 'manage_webhooks');
    const secret = newSecret();
    const reply = await writeReply(this.database, context, async (tx) => {
      const stored = await getWebhook(tx, id, tx.dialect.forUpdate);
      checkIfMatch(context, stored.revision);
      await tx.update(TABLES.webhooks, id, {
        secret,
        previous_secret: stored.secret,
        previous_until_utc: addDays(context.nowUtc, ROTATION_DAYS),
        modified_utc: context.nowUtc,
        revision: stored.revision + 1,
      });
      return recordReply(present(await getWebhook(tx, id), context));
    });
    return withSecret(reply, secret);
  }

  private async mustHaveRoom(tx: Transaction): Promise<void> {
    const most = this.environment.WEBHOOK_MOST;
    if ((await countWebhooks(tx)) >= most) throw apiError('webhook-limit-reached', { params: { most: String(most) } });
  }

  /** Reports values that contradict each other or the settings. */
  private check({ url, types, audience, payload }: Partial<WebhookRow>, problems: Problems): void {
    const problem = url === undefined || problems.has('url') ? undefined : this.network.problemOf(url);
    if (problem !== undefined) problems.add('url', 'rest_invalid_url', problem);
    const outside = types === undefined || audience === undefined ? [] : typesOutside(audience, types.split(','));
    if (outside.length > 0) {
      problems.add('types', 'rest_conflict', `has types that only the audience all gets: ${outside.join(', ')}.`);
    }
    // Without PUBLIC_URL records would have no addresses, because there is no request to take a host from.
    if (payload === 'record' && this.environment.PUBLIC_URL === undefined) {
      problems.add('payload', 'rest_conflict', 'can be record only if PUBLIC_URL is set.');
    }
  }
}

const DEFAULTS = {
  description: '',
  types: '*',
  audience: 'public',
  payload: 'thin',
  active: 1,
  disabled_reason: '',
  failures: 0,
  previous_secret: '',
  revision: 1,
} as const;

/** Returns the columns of the sent fields. null clears a field. */
function fieldsOf({ url, description, types, audience, payload, active }: WebhookDto) {
  const columns = {
    url,
    description: description === null ? '' : description,
    types: types === null ? DEFAULTS.types : types && [...new Set(types)].join(','),
    audience,
    payload,
    ...(active === undefined ? {} : { active: active ? (1 as const) : (0 as const) }),
    ...(active === undefined ? {} : { disabled_reason: active ? ('' as const) : ('paused' as const) }),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<
    typeof columns
  >;
}

/** Clears the failures of a webhook that is set active, so that it is tried at once. */
function activation({ active }: WebhookDto): Partial<WebhookRow> {
  return active === true ? { failing_since_utc: null, failures: 0, not_before_utc: null } : {};
}

type From = typeof NOW | ChangeToken;

function readFrom({ from = NOW }: WebhookCreation, problems: Problems): From {
  if (from === NOW) return NOW;
  const token = readToken(from);
  if (token === undefined) problems.add('from', 'rest_invalid_type', 'is neither now nor a next_since of /changes.');
  return token ?? NOW;
}

/** Returns the position with which a webhook begins. Throws 410 if changes behind the token may be missing. */
async function beginning(tx: Transaction, from: From): Promise<Pick<WebhookRow, 'position_seq' | 'position_id'>> {
  const state = await changeRecordState(tx);
  if (from === NOW) return { position_seq: state.version, position_id: 0 };
  const reason = expiryOf(from, state);
  if (reason !== undefined) throw apiError('changes-token-expired', { data: { reason } });
  return { position_seq: from.position.seq, position_id: from.position.id ?? 0 };
}

function present(row: WebhookRecord, { urls }: RequestContext) {
  return { body: presentWebhook(row, urls), revision: row.revision, modifiedUtc: row.modified_utc };
}

/** Adds the secret to a reply after its transaction, so that an Idempotency-Key does not store it. */
function withSecret(reply: WrittenReply, secret: string): WrittenReply {
  return { ...reply, body: { ...reply.body, secret } };
}
