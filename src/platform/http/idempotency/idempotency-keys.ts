import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../config/clock.js';
import { within } from '../../../config/timeout.js';
import type { Transaction } from '../../../database/connection/transaction.js';
import { OutcomeUnknown } from '../../../database/connection/unavailable.js';
import { Database } from '../../../database/database.js';
import { TABLES } from '../../../database/sql/tables.js';
import { apiError } from '../../../errors/api-error.js';
import { Problems } from '../../../errors/problems.js';
import { isAnonymous } from '../../../kernel/caller.js';
import { isOneOf } from '../../../kernel/sql-condition.js';
import { addSeconds } from '../../../kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { Log } from '../../observability/log.js';
import { type Reply, type ReplyParts, replyOf } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import type { IdempotencyKeyRow } from './idempotency-key.entity.js';

const TABLE = TABLES.idempotencyKeys;
const HOUR_SECONDS = 3600;
/** Lifetime of stored responses, in seconds (contract 5.5). */
const REPLY_LIFETIME_SECONDS = 24 * HOUR_SECONDS;
/**
 * A claim expires this many seconds after the longest database timeout, so that a dead request frees its key. A shorter
 * margin could waste the work of a slow request, but never write twice.
 */
const CLAIM_MARGIN_SECONDS = 5;
/** Expired rows that each new claim removes at most. */
const MAX_REMOVED_ROWS = 20;
/** Delay before the first retry of a release, in milliseconds. It doubles each time. */
const FIRST_RETRY_DELAY_MS = 250;
/** How long an error response waits for the release of its key, in milliseconds. */
const MAX_RELEASE_WAIT_MS = 1_000;

/** The exclusive right of one request to carry out the write of a key. */
export interface Claim {
  readonly keyHash: string;
  readonly owner: string;
}

/**
 * Idempotency keys and their stored responses. A claim is committed before the write begins, so that every instance
 * sees it. The transaction of the write also stores the response, and only if the claim still exists. So write and
 * response are committed together or not at all, even if a process or connection fails.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Returns the stored response of a repeated request. Throws 409 while the first runs, 422 if the request differs. */
  async findReply({ keyHash, fingerprint }: KeyedRequest): Promise<Reply | undefined> {
    const [row] = await this.database.query<Pick<IdempotencyKeyRow, 'fingerprint' | 'answer'>>(
      `SELECT fingerprint, answer FROM ${TABLE} WHERE key_hash = ? AND expires_utc > ?`,
      [keyHash, this.clock.now()],
    );
    if (row === undefined) return undefined;
    if (row.fingerprint !== fingerprint) throw apiError('rest_idempotency_key_reused');
    if (row.answer === '') throw keyInUse();
    return replyOf(JSON.parse(row.answer) as ReplyParts);
  }

  /** Claims a free or expired key. Of several requests at the same time one succeeds, and the others get 409. */
  async claim({ keyHash, fingerprint }: KeyedRequest): Promise<Claim> {
    const now = this.clock.now();
    const claim = { keyHash, owner: randomUUID() };
    const row = {
      key_hash: keyHash,
      fingerprint,
      owner: claim.owner,
      answer: '',
      expires_utc: addSeconds(now, this.claimSeconds),
    };
    const claiming = this.database.inTransaction(async (tx) => {
      await tx.execute(`DELETE FROM ${TABLE} WHERE key_hash = ? AND expires_utc <= ?`, [keyHash, now]);
      await removeExpired(tx, now);
      try {
        await tx.insert(TABLE, row);
      } catch (error) {
        throw tx.dialect.isDuplicate(error) ? keyInUse() : error;
      }
    });
    await claiming.catch((error: unknown) => {
      // If the claim was committed, it would block the client's repetitions without a running request.
      if (error instanceof OutcomeUnknown) void this.releaseWithRetries(claim);
      throw error;
    });
    return claim;
  }

  /** Stores the response of a write, as the last step of its transaction. */
  async storeReply(tx: Transaction, { keyHash, owner }: Claim, reply: Reply): Promise<void> {
    const sql = `UPDATE ${TABLE} SET answer = ?, expires_utc = ? WHERE key_hash = ? AND owner = ? AND answer = ''`;
    const values = [JSON.stringify(reply), addSeconds(this.clock.now(), REPLY_LIFETIME_SECONDS), keyHash, owner];
    const stored = await tx.execute(sql, values);
    // The claim is lost: the write took so long that another request claimed the key.
    if (stored === 0) throw keyInUse();
  }

  /**
   * Releases a key after a write that was rejected or failed. Waits for it for a short time, or not at all if the
   * database is unavailable.
   */
  async release(claim: Claim, reason: unknown): Promise<void> {
    const released = this.releaseWithRetries(claim);
    if (!this.database.isUnavailable(reason)) await within(MAX_RELEASE_WAIT_MS, released).catch(() => undefined);
  }

  /** Retries until the claim expires, because the database may become available before. */
  private async releaseWithRetries(claim: Claim): Promise<void> {
    const end = performance.now() + this.claimSeconds * 1000;
    for (let delay = FIRST_RETRY_DELAY_MS; ; delay *= 2) {
      try {
        return void (await this.remove(claim));
      } catch (error) {
        const mayRetry = this.database.isUnavailable(error) && performance.now() + delay < end;
        if (!mayRetry) return this.log.warn(`An idempotency key was not released: ${String(error)}`);
        await sleep(delay, undefined, { ref: false });
      }
    }
  }

  /** Lifetime of a claim, in seconds. */
  private get claimSeconds(): number {
    return this.database.longestTimeoutSeconds + CLAIM_MARGIN_SECONDS;
  }

  /** Uses a new deadline, because that of the request may be over. */
  private remove({ keyHash, owner }: Claim): Promise<unknown> {
    const sql = `DELETE FROM ${TABLE} WHERE key_hash = ? AND owner = ? AND answer = ''`;
    return this.database.withDeadlineFor('write', () =>
      this.database.inTransaction((tx) => tx.execute(sql, [keyHash, owner])),
    );
  }
}

function keyInUse() {
  return apiError('rest_idempotency_key_in_use', { headers: { 'Retry-After': '1' } });
}

/** Each claim removes several rows, so that the table shrinks. Rows stay for an hour, so that no request uses them. */
async function removeExpired(tx: Transaction, now: UtcTime): Promise<void> {
  const limit = addSeconds(now, -HOUR_SECONDS);
  const expired = await tx.query<{ key_hash: string }>(
    `SELECT key_hash FROM ${TABLE} WHERE expires_utc <= ? ORDER BY expires_utc LIMIT ${MAX_REMOVED_ROWS}`,
    [limit],
  );
  if (expired.length === 0) return;
  const { sql, params } = isOneOf(
    'key_hash',
    expired.map(({ key_hash }) => key_hash),
  );
  await tx.execute(`DELETE FROM ${TABLE} WHERE ${sql} AND expires_utc <= ?`, [...params, limit]);
}

const HEADER = 'Idempotency-Key';
const MAX_KEY_CHARACTERS = 255;

/** Identifies a repeated request (contract 5.5). */
export interface KeyedRequest {
  readonly keyHash: string;
  readonly fingerprint: string;
}

/** Returns undefined without a key and for anonymous callers, who may not write. Throws 400 for a malformed key. */
export function readKeyedRequest(request: KalendsRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  checkKey(String(key));
  const { caller } = request.context;
  if (isAnonymous(caller)) return undefined;
  const body = request.rawBody ?? '';
  // Includes capabilities, so that a weaker token of a user never gets the response for a stronger one.
  const fingerprinted = [caller.userId, [...caller.capabilities].sort(), request.sentMethod, request.originalUrl];
  return {
    keyHash: digest(JSON.stringify([caller.userId, key])),
    // Bodies may contain event passwords. The key, which is stored nowhere, makes guessing from the digest impractical.
    fingerprint: digest(JSON.stringify([key, ...fingerprinted]), body),
  };
}

function checkKey(key: string): void {
  const problems = new Problems([HEADER]);
  if (key === '') problems.add(HEADER, 'rest_empty', 'must not be empty.');
  else if (!/^[\x21-\x7e]+$/.test(key)) {
    problems.add(HEADER, 'rest_invalid_type', 'must be text of visible ASCII characters.');
  } else if (key.length > MAX_KEY_CHARACTERS) {
    problems.add(HEADER, 'rest_too_long', `must not be longer than ${MAX_KEY_CHARACTERS} characters.`);
  }
  problems.throwIfAny();
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
