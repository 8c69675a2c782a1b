import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictException, Injectable } from '@nestjs/common';
import { Clock } from '../../../config/clock.js';
import { within } from '../../../config/timeout.js';
import { withParticipant } from '../../../database/connection/participant.js';
import type { Transaction } from '../../../database/connection/transaction.js';
import { OutcomeUnknown } from '../../../database/connection/unavailable.js';
import { Database } from '../../../database/database.js';
import { TABLES } from '../../../database/sql/tables.js';
import { apiError } from '../../../errors/api-error.js';
import { loggedError } from '../../../errors/logged-error.js';
import { isOneOf } from '../../../kernel/sql-condition.js';
import { addSeconds } from '../../../kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { Log } from '../../observability/log.js';
import { type Reply, type ReplyParts, replyOf } from '../reply.js';
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

/** Stands for the response of a write that was committed by the handler of an ordinary route, until it is stored. */
const COMMITTED = 'committed';

/** Identifies a repeated request (contract 5.5). */
export interface KeyedRequest {
  readonly keyHash: string;
  readonly fingerprint: string;
}

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
  async findReply(keyed: KeyedRequest): Promise<Reply | undefined> {
    const stored = await this.findStored<ReplyParts>(keyed);
    return stored && replyOf(stored);
  }

  /** As `findReply`, in the form in which it was stored. Throws 409, too, if the write was committed without a response. */
  async findStored<Stored>({ keyHash, fingerprint }: KeyedRequest): Promise<Stored | undefined> {
    const [row] = await this.database.query<Pick<IdempotencyKeyRow, 'fingerprint' | 'answer'>>(
      `SELECT fingerprint, answer FROM ${TABLE} WHERE key_hash = ? AND expires_utc > ?`,
      [keyHash, this.clock.now()],
    );
    if (row === undefined) return undefined;
    if (row.fingerprint !== fingerprint) throw apiError('rest_idempotency_key_reused');
    if (row.answer === '') throw keyInUse();
    if (row.answer === COMMITTED) throw new ConflictException(NOT_STORED);
    return JSON.parse(row.answer) as Stored;
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
  storeReply(tx: Transaction, claim: Claim, reply: Reply): Promise<void> {
    return this.store(tx, claim, JSON.stringify(reply));
  }

  /** Notes in the transaction of a write that it is carried out. Its response is not known yet. */
  noteCommit(tx: Transaction, claim: Claim): Promise<void> {
    return this.store(tx, claim, COMMITTED);
  }

  /** Stores the response of a write that is committed. If it cannot be stored, the client gets it nevertheless. */
  async storeLater(claim: Claim, response: object): Promise<void> {
    const store = () => this.database.inTransaction((tx) => this.store(tx, claim, JSON.stringify(response)));
    try {
      await withParticipant(undefined, () => this.database.withDeadlineFor('write', store));
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'a response to an Idempotency-Key was not stored' });
    }
  }

  /** Throws 409 if the claim is lost: the write took so long that another request claimed the key. */
  private async store(tx: Transaction, { keyHash, owner }: Claim, answer: string): Promise<void> {
    const sql = `UPDATE ${TABLE} SET answer = ?, expires_utc = ? WHERE key_hash = ? AND owner = ? AND answer IN ('', ?)`;
    const expires = addSeconds(this.clock.now(), REPLY_LIFETIME_SECONDS);
    if ((await tx.execute(sql, [answer, expires, keyHash, owner, COMMITTED])) === 0) throw keyInUse();
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

const NOT_STORED = 'The request with this Idempotency-Key was carried out, but its response was not stored.';

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
