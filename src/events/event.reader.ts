import { Injectable } from '@nestjs/common';
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

type Protected = Pick<EventReadRow, 'id' | 'password_hash' | 'status' | 'trashed_from' | 'public_from' | 'author_id'>;

/** Whether a list hides what is behind the password of an event (contract 7.3, Passwords). */
function isBlanked(row: Protected, { caller }: RequestContext): boolean {
  return row.password_hash !== null && !mayEdit(row, caller);
}

/** Opens protected events to those who know the password; wrong ones are limited (contract 5.6). */
@Injectable()
export class EventProtection {
  constructor(private readonly attempts: PasswordAttempts) {}

  /** `password`: undefined where none was sent, or where the route takes none. */
  async mustOpen(row: Protected, password: string | undefined, context: RequestContext): Promise<void> {
    if (!isBlanked(row, context) || row.password_hash === null) return;
    if (password === undefined) throw apiError('event-password-protected');
    const { id: eventId, password_hash: stored } = row;
    const attempt = { eventId, stored, password, clientAddress: context.clientAddress };
    if (!(await this.attempts.isRight(attempt))) throw apiError('event-password-protected');
  }
}

/** Loads what events are linked to: one statement for each kind of post and one for terms, however many events there are. */
@Injectable()
export class EventLinks {
  constructor(private readonly linked: EventLinkKinds) {}

  async load(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<Map<number, LinkedRecords>> {
    const [terms, ...found] = await Promise.all([
      findTerms(sql, Object.values(TERMS), allIds(rows, 'term_ids'), context.nowUtc),
      ...LINKED_NAMES.map((name) => this.linked.links[name].findVisible(sql, allIds(rows, `${name}_ids`), context)),
    ]);
    const posts = new Map(LINKED_NAMES.map((name, index) => [name, found[index]!]));
    const linked = (row: EventReadRow): LinkedRecords => {
      const carried = inOrder(pick(idsOf(row.term_ids), terms));
      return {
        // Each map holds the rows of its own kind.
        posts: byName((name) => pick(idsOf(row[`${name}_ids`]), posts.get(name)!)) as unknown as LinkedRecords['posts'],
        ...byTermName((name) => carried.filter(({ kind }) => kind === TERMS[name])),
      };
    };
    return new Map(rows.map((row) => [row.id, linked(row)]));
  }
}

/** The latest change of an event or of what is shown with it (contract 5.2). */
function latestChange(row: EventReadRow, linked: LinkedRecords): UtcTime {
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

function inOrder(terms: readonly TermRecord[]): TermRecord[] {
  return terms.toSorted((a, b) => (a.name_key === b.name_key ? a.id - b.id : a.name_key < b.name_key ? -1 : 1));
}

/** Makes answers of rows: loads what they are linked to and presents them. */
@Injectable()
export class EventReader {
  constructor(private readonly links: EventLinks) {}

  /** One event, as a write answers with it. */
  async record(sql: Sql, address: IdOrSlug, context: RequestContext, view: EventView = 'full'): Promise<FoundRecord> {
    return this.present(sql, await this.find(sql, address), context, view);
  }

  async find(sql: Sql, address: IdOrSlug): Promise<EventReadRow> {
    return mustExist(await findEvent(sql, address), EVENT, address);
  }

  async present(sql: Sql, row: EventReadRow, context: RequestContext, view: EventView): Promise<FoundRecord> {
    const linked = (await this.links.load(sql, [row], context)).get(row.id) as LinkedRecords;
    const modifiedUtc = latestChange(row, linked);
    return { body: presentEvent(row, linked, context, view), revision: row.revision, modifiedUtc };
  }

  /** The events of a list; protected ones without what their password hides. */
  async items(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<EventResponse[]> {
    const linked = await this.links.load(sql, rows, context);
    return rows.map((row) =>
      presentEvent(row, linked.get(row.id) as LinkedRecords, context, isBlanked(row, context) ? 'blanked' : 'full'),
    );
  }
}
