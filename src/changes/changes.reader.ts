import { Injectable } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import {
  changeRecordState,
  type ChangeRecordState,
  changesAfter,
  lastListedCommit,
  type Readership,
} from '../database/cache/recent-changes.js';
import { Database } from '../database/database.js';
import { apiError } from '../errors/api-error.js';
import { addSeconds } from '../kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { toSeconds } from '../kernel/time/epoch-seconds.js';
import type { FoundRecord } from '../platform/http/responses/record-reply.js';
import { type ChangePage, pageOfChanges, type ReportedChange } from './change.page.js';
import type { Since } from './change.params.js';
import { type ChangeToken, expiryOf, type WalkPlace } from '../database/cache/change-token.js';
import type { ChangeType } from '../database/cache/change-types.js';
import type { ChangeResponse } from './changes.response.js';
import { type Sources, walk } from './changes.walk.js';

/** Rows of the change record in one answer. Most answers need few. */
const MAX_ROWS = 2_000;
/** An answer without changes returns the token of the request until it has this age (changes rule 8). */
export const TOKEN_RENEWAL_SECONDS = 86_400;

/** What a program wants to know. */
export interface ChangeQuery {
  readonly types: readonly ChangeType[];
  /** The largest number of changes of an answer. */
  readonly size: number;
  readonly readership: Readership;
  /** Digest of filters, types and rights, which a token must have. */
  readonly digest: string;
  readonly withRecords: boolean;
  /** Equal for requests of equal callers with equal parameters, whose links begin with the same address. */
  readonly key: string;
  /** Returns the records that the caller's lists show at a time. */
  readonly sourcesAt: (nowUtc: UtcTime) => Sources;
}

/** The answer to a query. */
export interface ChangeAnswer {
  readonly changes: readonly ChangeResponse[];
  /** Where the next answer begins. */
  readonly next: ChangeToken;
  readonly hasMore: boolean;
  /** The age in seconds of the oldest change that is not reported yet. undefined: there is none, or it is a first fill. */
  readonly lagSeconds?: number;
  /** The state of the change record that the answer includes. */
  readonly state: ChangeRecordState;
}

/**
 * Reads changes with the present state of their records. Bypasses the read cache, because a record that is older than
 * its change would never be corrected.
 */
@Injectable()
export class ChangesReader {
  /** Reads after a wait that have not ended, by query and position. */
  private readonly running = new Map<string, Promise<ChangeAnswer>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads the first answer to a request. Throws 410 for a token that has expired (changes rule 8). */
  async read(query: ChangeQuery, since: Since): Promise<ChangeAnswer> {
    const state = await changeRecordState(this.database);
    if (typeof since === 'object') mustBeValid(since, state, query);
    const token = typeof since === 'object' ? since : await this.begin(query, since, state);
    return token.walk === undefined ? this.follow(query, token, state) : this.fill(query, token, token.walk, state);
  }

  /** Reads the changes behind a token after a wait. Requests that wait at the same position share one read. */
  async readOn(query: ChangeQuery, token: ChangeToken): Promise<ChangeAnswer> {
    const key = JSON.stringify([query.key, token.epoch, token.position]);
    const read = this.running.get(key) ?? this.followNow(query, token).finally(() => this.running.delete(key));
    this.running.set(key, read);
    const answer = await read;
    return answer.changes.length === 0 && !answer.hasMore ? { ...answer, next: token } : answer;
  }

  private async followNow(query: ChangeQuery, token: ChangeToken): Promise<ChangeAnswer> {
    return this.follow(query, token, await changeRecordState(this.database));
  }

  /** Returns a token of the present. That of an anonymous reader tells nothing about drafts (contract GEN-17). */
  private async begin(query: ChangeQuery, since: 'start' | 'now', state: ChangeRecordState): Promise<ChangeToken> {
    const { version } = state;
    const seq = query.readership === 'listed' ? await lastListedCommit(this.database, version) : version;
    const token = { epoch: state.epoch, issuedUtc: this.clock.now(), position: { seq }, digest: query.digest };
    return since === 'now' ? token : { ...token, walk: { type: query.types[0]!, afterId: 0 } };
  }

  private async fill(
    query: ChangeQuery,
    token: ChangeToken,
    place: WalkPlace,
    state: ChangeRecordState,
  ): Promise<ChangeAnswer> {
    // A record may have been published by an instance whose clock is ahead.
    const sources = query.sourcesAt(later(this.clock.now(), state.lastMadeUtc));
    const { records, next } = await walk(sources, query.types, place, query.size);
    const changes = records.map(({ type, record }) => {
      const { body, modifiedUtc = '' } = record;
      return presentChange({ type, id: body.id, changedUtc: modifiedUtc }, record, query);
    });
    // The token keeps its time of issue: changes since then are not reported yet.
    const nextToken = { ...token, walk: next };
    if (next !== undefined) return { changes, next: nextToken, hasMore: true, state };
    const { page } = await this.find({ ...query, size: 1 }, token, state);
    return { changes, next: nextToken, hasMore: page.changes.length > 0 || page.hasMore, state };
  }

  private async follow(query: ChangeQuery, token: ChangeToken, state: ChangeRecordState): Promise<ChangeAnswer> {
    const { page, newestUtc } = await this.find(query, token, state);
    const nowUtc = this.clock.now();
    const { changes, end, hasMore, nextMadeUtc } = page;
    if (end === undefined) return { changes: [], next: renewed(token, nowUtc), hasMore, state };
    const found = await recordsOf(changes, query.sourcesAt(later(nowUtc, newestUtc)));
    return {
      changes: changes.map((change) => presentChange(change, found.get(keyOf(change)), query)),
      next: { ...token, position: end, issuedUtc: hasMore ? token.issuedUtc : nowUtc },
      hasMore,
      ...(hasMore ? { lagSeconds: secondsBetween(nextMadeUtc ?? nowUtc, nowUtc) } : {}),
      state,
    };
  }

  /** Returns the next page of changes, and when the newest row read was made. */
  private async find(
    { readership, types, size }: ChangeQuery,
    { position }: ChangeToken,
    { version }: ChangeRecordState,
  ): Promise<{ page: ChangePage; newestUtc: UtcTime | null }> {
    const { database } = this;
    const wanted = { after: position, upTo: version, readership, limit: MAX_ROWS };
    const rows =
      version <= position.seq && position.id === undefined
        ? []
        : await changesAfter(database, database.dialect, wanted);
    const newestUtc = rows.reduce<UtcTime | null>((newest, { made_utc }) => later(made_utc, newest), null);
    return { page: pageOfChanges({ rows, isComplete: rows.length < MAX_ROWS }, types, size), newestUtc };
  }
}

function mustBeValid(token: ChangeToken, state: ChangeRecordState, { digest }: ChangeQuery): void {
  const reason = expiryOf(token, state) ?? (token.digest === digest ? undefined : 'different');
  if (reason !== undefined) throw apiError('changes-token-expired', { data: { reason } });
}

/** Returns the token itself while it is young, so that token and ETag stay the same while nothing happens. */
function renewed(token: ChangeToken, nowUtc: UtcTime): ChangeToken {
  return nowUtc < addSeconds(token.issuedUtc, TOKEN_RENEWAL_SECONDS) ? token : { ...token, issuedUtc: nowUtc };
}

async function recordsOf(
  changes: readonly ReportedChange[],
  sources: Sources,
): Promise<ReadonlyMap<string, FoundRecord>> {
  const found = new Map<string, FoundRecord>();
  for (const type of new Set(changes.map((change) => change.type))) {
    const ids = changes.filter((change) => change.type === type).map(({ id }) => id);
    for (const record of await sources[type].among(ids)) found.set(keyOf({ type, id: record.body.id }), record);
  }
  return found;
}

function keyOf({ type, id }: Pick<ReportedChange, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

/** Returns a change with its record. A record that the caller's list does not show counts as deleted (changes rule 3). */
function presentChange(
  { type, id, changedUtc }: ReportedChange,
  record: FoundRecord | undefined,
  { withRecords }: ChangeQuery,
): ChangeResponse {
  const change = { type, id, deleted: record === undefined, changed_utc: changedUtc };
  return record === undefined || !withRecords ? change : { ...change, record: record.body };
}

function later(time: UtcTime, other: UtcTime | null): UtcTime {
  return other !== null && other > time ? other : time;
}

function secondsBetween(from: UtcTime, to: UtcTime): number {
  return Math.max(0, toSeconds(to) - toSeconds(from));
}
