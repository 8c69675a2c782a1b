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
import type { Reply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import type { IdempotencyKeyRow } from './idempotency-key.entity.js';

const TABLE = TABLES.idempotencyKeys;
const HOUR = 3600;
/** How long answers are kept, in seconds (contract 5.5). */
const KEPT = 24 * HOUR;
/**
 * How much longer than a request may use the database a claim holds when nothing more is heard of its request, in
 * seconds. Too short it would cost work done in vain, never a second record.
 */
const LEASE_MARGIN = 5;
/** How many rows that nobody needs any more a new claim removes. */
const REMOVED_AT_ONCE = 20;
/** Between the first two attempts to give a key back, in milliseconds; twice as long each time. */
const FIRST_PAUSE = 250;
/** How long an answer waits until its key is free again, in milliseconds. */
const LONGEST_WAIT = 1_000;

/** The right of one request to carry out what its key stands for. */
export interface Claim {
  readonly keyHash: string;
  readonly owner: string;
}

/**
 * The keys of writes and their answers. A claim is committed before the write begins, so that every instance sees it.
 * The answer is kept by the transaction of the change, and only while the claim is still there: whatever dies or loses
 * its connection at whatever moment, the change and its answer are both there or neither is.
 */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The kept answer of a request that was carried out before; 409 while it runs, 422 if the key is another one's. */
  async findAnswer({ keyHash, fingerprint }: KeyedRequest): Promise<Reply | undefined> {
    const [row] = await this.database.query<Pick<IdempotencyKeyRow, 'fingerprint' | 'answer'>>(
      `SELECT fingerprint, answer FROM ${TABLE} WHERE key_hash = ? AND expires_utc > ?`,
      [keyHash, this.clock.now()],
    );
    if (row === undefined) return undefined;
    if (row.fingerprint !== fingerprint) throw apiError('rest_idempotency_key_reused');
    if (row.answer === '') throw inUse();
    return JSON.parse(row.answer) as Reply;
  }

  /** Takes a key that is free, or that a dead request has left behind; 409 for all but one of several at once. */
  async claim({ keyHash, fingerprint }: KeyedRequest): Promise<Claim> {
    const now = this.clock.now();
    const claim = { keyHash, owner: randomUUID() };
    const row = {
      key_hash: keyHash,
      fingerprint,
      owner: claim.owner,
      answer: '',
      expires_utc: addSeconds(now, this.lease),
    };
    const claiming = this.database.inTransaction(async (tx) => {
      await tx.execute(`DELETE FROM ${TABLE} WHERE key_hash = ? AND expires_utc <= ?`, [keyHash, now]);
      await removeOld(tx, now);
      try {
        await tx.insert(TABLE, row);
      } catch (error) {
        throw tx.dialect.isDuplicate(error) ? inUse() : error;
      }
    });
    await claiming.catch((error: unknown) => {
      // Where it is there after all, nobody would carry out what it stands for.
      if (error instanceof OutcomeUnknown) void this.giveBack(claim);
      throw error;
    });
    return claim;
  }

  /** Keeps the answer of a write, as the last step of its transaction. */
  async keep(tx: Transaction, { keyHash, owner }: Claim, answer: Reply): Promise<void> {
    const sql = `UPDATE ${TABLE} SET answer = ?, expires_utc = ? WHERE key_hash = ? AND owner = ? AND answer = ''`;
    const values = [JSON.stringify(answer), addSeconds(this.clock.now(), KEPT), keyHash, owner];
    const kept = await tx.execute(sql, values);
    // The write has happened already, or took so long that it was given up and another request carries it out now.
    if (kept === 0) throw inUse();
  }

  /**
   * Gives a key back after a write that was refused or failed. Where the database did not get to the write nobody waits
   * until it gets to this, and otherwise not for long.
   */
  async release(claim: Claim, reason: unknown): Promise<void> {
    const released = this.giveBack(claim);
    if (!this.database.isUnavailable(reason)) await within(LONGEST_WAIT, released).catch(() => undefined);
  }

  /** Again and again until the claim runs out by itself: the server may come back before, or another one take its place. */
  private async giveBack(claim: Claim): Promise<void> {
    const end = performance.now() + this.lease * 1000;
    for (let pause = FIRST_PAUSE; ; pause *= 2) {
      try {
        return void (await this.remove(claim));
      } catch (error) {
        const mayPass = this.database.isUnavailable(error) && performance.now() + pause < end;
        if (!mayPass) return this.log.warn(`An idempotency key was not given back: ${String(error)}`);
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  /** How long a claim holds by itself, in seconds. */
  private get lease(): number {
    return this.database.longestTimeoutSeconds + LEASE_MARGIN;
  }

  /** In a time of its own: that of the request may be up. */
  private remove({ keyHash, owner }: Claim): Promise<unknown> {
    const sql = `DELETE FROM ${TABLE} WHERE key_hash = ? AND owner = ? AND answer = ''`;
    return this.database.withDeadlineFor('writing', () =>
      this.database.inTransaction((tx) => tx.execute(sql, [keyHash, owner])),
    );
  }
}

function inUse() {
  return apiError('rest_idempotency_key_in_use', { headers: { 'Retry-After': '1' } });
}

/** A bounded piece with every claim, so the table shrinks faster than it grows; an hour late, when nobody uses them. */
async function removeOld(tx: Transaction, now: UtcTime): Promise<void> {
  const limit = addSeconds(now, -HOUR);
  const old = await tx.query<{ key_hash: string }>(
    `SELECT key_hash FROM ${TABLE} WHERE expires_utc <= ? ORDER BY expires_utc LIMIT ${REMOVED_AT_ONCE}`,
    [limit],
  );
  if (old.length === 0) return;
  const { sql, params } = isOneOf(
    'key_hash',
    old.map(({ key_hash }) => key_hash),
  );
  await tx.execute(`DELETE FROM ${TABLE} WHERE ${sql} AND expires_utc <= ?`, [...params, limit]);
}

const NAME = 'Idempotency-Key';
const MOST_CHARACTERS = 255;

/** What a repeated request is known by (contract 5.5). */
export interface KeyedRequest {
  readonly keyHash: string;
  readonly fingerprint: string;
}

/** A request with an Idempotency-Key. Anonymous callers, who may not write, have none; a malformed key is refused. */
export function readKeyedRequest(request: KalendsRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  checkKey(String(key));
  const { caller } = request.context;
  if (isAnonymous(caller)) return undefined;
  const body = Buffer.isBuffer(request.body) ? request.body : '';
  // What the token may do belongs to who asks: nobody gets an answer that was made for higher rights.
  const asked = [caller.userId, [...caller.capabilities].sort(), request.sentMethod, request.originalUrl];
  return {
    keyHash: digest(JSON.stringify([caller.userId, key])),
    // Bodies hold passwords of events. The key, which is stored nowhere, keeps their digests from being guessed at.
    fingerprint: digest(JSON.stringify([key, ...asked]), body),
  };
}

function checkKey(key: string): void {
  const problems = new Problems([NAME]);
  if (key === '') problems.add(NAME, 'rest_empty', 'must not be empty.');
  else if (!/^[\x21-\x7e]+$/.test(key)) {
    problems.add(NAME, 'rest_invalid_type', 'must be text of visible ASCII characters.');
  } else if (key.length > MOST_CHARACTERS) {
    problems.add(NAME, 'rest_too_long', `must not be longer than ${MOST_CHARACTERS} characters.`);
  }
  problems.throwIfAny();
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
