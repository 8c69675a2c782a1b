import { Injectable } from '@nestjs/common';
import type { ReadCache } from '../database/cache/read-cache.js';
import type { Sql } from '../database/sql/dialect.js';
import { apiError } from '../errors/api-error.js';
import type { IdOrSlug } from '../kernel/id-or-slug.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { mayEdit } from '../kernel/visibility.js';
import { PasswordAttempts } from '../platform/auth/password-attempts.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { FoundRecord } from '../platform/http/responses/record-reply.js';
import { mustExist } from '../posts/post.access.js';
import { findTerms, type TermRecord } from '../terms/term.query.js';
import { EVENT } from './event.kind.js';
import {
  byName,
  byTermName,
  EventLinkKinds,
  LINKED_NAMES,
  type LinkedName,
  type LinkedRecords,
  TERM_NAMES,
  TERMS,
} from './event.link-kinds.js';
import { type EventView, presentEvent } from './event.presenter.js';
import { type EventReadRow, findEvent, idsOf } from './event.query.js';
import type { EventResponse } from './event.response.js';
import { EventMembers } from './hooks/member.js';
import { FollowedEvents } from './index/followed-events.js';
import { IndexedCounts } from './index/indexed-counts.js';

type Protected = Pick<EventReadRow, 'id' | 'password_hash' | 'status' | 'trashed_from' | 'public_from' | 'author_id'>;

/** Whether a list blanks members of a password-protected event (contract 7.3, Passwords). */
export function isBlanked(row: Protected, { caller }: RequestContext): boolean {
  return row.password_hash !== null && !mayEdit(row, caller);
}

/** Checks the passwords of protected events and limits failed attempts (contract 5.6). */
@Injectable()
export class EventProtection {
  constructor(private readonly attempts: PasswordAttempts) {}

  /** Throws unless the password is right or not needed. `password`: undefined if the client sent none. */
  async mustHavePassword(row: Protected, password: string | undefined, context: RequestContext): Promise<void> {
    if (!(await this.hasPassword(row, password, context))) throw apiError('event-password-protected');
  }

  /** Returns whether the password is right or not needed. Throws 429 after too many wrong ones. */
  async hasPassword(row: Protected, password: string | undefined, context: RequestContext): Promise<boolean> {
    if (!isBlanked(row, context) || row.password_hash === null) return true;
    if (password === undefined) return false;
    const { id: eventId, password_hash: stored } = row;
    return this.attempts.isRight({ eventId, stored, password, clientAddress: context.clientAddress });
  }
}

/** Loads the linked records of any number of events: one statement for each kind of post and one for terms. */
@Injectable()
export class EventLinks {
  constructor(
    private readonly linked: EventLinkKinds,
    private readonly counts: IndexedCounts,
  ) {}

  async load(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<Map<number, LinkedRecords>> {
    const counting = (await this.counts.countsFor(sql, rows)) ?? context.nowUtc;
    const [terms, ...found] = await Promise.all([
      findTerms(sql, Object.values(TERMS), allIds(rows, 'term_ids'), counting),
      ...LINKED_NAMES.map((name) => this.linked.links[name].findVisible(sql, allIds(rows, `${name}_ids`), context)),
    ]);
    const posts = new Map(LINKED_NAMES.map((name, index) => [name, found[index]!]));
    const linked = (row: EventReadRow): LinkedRecords => {
      const ownTerms = sortedByName(pick(idsOf(row.term_ids), terms));
      return {
        // Each map contains the rows of one kind.
        posts: byName((name) => pick(idsOf(row[`${name}_ids`]), posts.get(name)!)) as unknown as LinkedRecords['posts'],
        ...byTermName((name) => ownTerms.filter(({ kind }) => kind === TERMS[name])),
      };
    };
    return new Map(rows.map((row) => [row.id, linked(row)]));
  }
}

/** Returns the time of the latest change of an event or of a record linked to it (contract 5.2). */
export function latestChange(row: EventReadRow, linked: LinkedRecords): UtcTime {
  const records = [...Object.values(linked.posts), ...TERM_NAMES.map((name) => linked[name])].flat();
  const times = records.map(({ modified_utc }) => modified_utc);
  return times.reduce((latest, time) => (time > latest ? time : latest), row.modified_utc);
}

function allIds(rows: readonly EventReadRow[], column: `${LinkedName}_ids` | 'term_ids'): number[] {
  return [...new Set(rows.flatMap((row) => idsOf(row[column])))];
}

function pick<Row>(ids: readonly number[], rows: ReadonlyMap<number, Row>): Row[] {
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}

export function sortedByName(terms: readonly TermRecord[]): TermRecord[] {
  return terms.toSorted((a, b) => (a.name_key === b.name_key ? a.id - b.id : a.name_key < b.name_key ? -1 : 1));
}

/** Turns rows into responses: loads their linked records and presents them. */
@Injectable()
export class EventReader {
  constructor(
    private readonly links: EventLinks,
    private readonly members: EventMembers,
    private readonly followed: FollowedEvents,
  ) {}

  /** Returns the cache of a request with the records that stay cached across commits, if there are any. */
  withRecords(sql: ReadCache): Promise<ReadCache> {
    return this.followed.withRecords(sql);
  }

  /** Returns one event for the response of a write. */
  async record(sql: Sql, idOrSlug: IdOrSlug, context: RequestContext, view: EventView = 'full'): Promise<FoundRecord> {
    return this.present(sql, await this.find(sql, idOrSlug), context, view);
  }

  /** Returns the row of an event, or throws a 404. */
  async find(sql: Sql, idOrSlug: IdOrSlug): Promise<EventReadRow> {
    return mustExist(await findEvent(sql, idOrSlug), EVENT, idOrSlug);
  }

  async present(sql: Sql, row: EventReadRow, context: RequestContext, view: EventView): Promise<FoundRecord> {
    const linked = (await this.links.load(sql, [row], context)).get(row.id) as LinkedRecords;
    const { revision } = row;
    const body = presentEvent(row, linked, context, view);
    if (this.members.isEmpty) return { body, revision, modifiedUtc: latestChange(row, linked) };
    const [extended] = await this.members.addTo([body], [row.id], sql, context);
    return { body: extended!, revision };
  }

  /** Returns one event with all its members, for a caller who may see them. */
  async full(sql: Sql, row: EventReadRow, context: RequestContext): Promise<EventResponse> {
    const linked = (await this.links.load(sql, [row], context)).get(row.id) as LinkedRecords;
    return presentEvent(row, linked, context, 'full');
  }

  /** Returns the events of a list, protected ones blanked. */
  async items(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<EventResponse[]> {
    const linked = await this.links.load(sql, rows, context);
    const items = rows.map((row) =>
      presentEvent(row, linked.get(row.id) as LinkedRecords, context, isBlanked(row, context) ? 'blanked' : 'full'),
    );
    if (this.members.isEmpty) return items;
    const shown = rows.filter((row) => !isBlanked(row, context));
    return this.members.addTo(
      items,
      shown.map(({ id }) => id),
      sql,
      context,
    );
  }
}
