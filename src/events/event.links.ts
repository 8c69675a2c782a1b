import { Injectable } from '@nestjs/common';
import { CATEGORY } from '../categories/category.kind.js';
import type { Sql } from '../database/dialect.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { TAG } from '../tags/tag.kind.js';
import { findTerms, type TermRecord } from '../terms/term.query.js';
import { byName, EventLinked, LINKED_NAMES, type LinkedName, type LinkedRow } from './event.linked.js';
import { type EventReadRow, idsOf } from './event.query.js';

/** The records an event is shown with: those the caller may read, in the contract's order. */
export interface LinkedRecords {
  readonly posts: { readonly [Name in LinkedName]: readonly LinkedRow<Name>[] };
  readonly categories: readonly TermRecord[];
  readonly tags: readonly TermRecord[];
}

/** Loads what events are linked to: one statement for each kind of post and one for terms, however many events there are. */
@Injectable()
export class EventLinks {
  constructor(private readonly linked: EventLinked) {}

  async load(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<Map<number, LinkedRecords>> {
    const [terms, ...found] = await Promise.all([
      findTerms(sql, [CATEGORY, TAG], allIds(rows, 'term_ids'), context.nowUtc),
      ...LINKED_NAMES.map((name) => this.linked.links[name].findVisible(sql, allIds(rows, `${name}_ids`), context)),
    ]);
    const posts = new Map(LINKED_NAMES.map((name, index) => [name, found[index]!]));
    const linked = (row: EventReadRow): LinkedRecords => {
      const carried = inOrder(pick(idsOf(row.term_ids), terms));
      return {
        // Each map holds the rows of its own kind.
        posts: byName((name) => pick(idsOf(row[`${name}_ids`]), posts.get(name)!)) as unknown as LinkedRecords['posts'],
        categories: carried.filter(({ kind }) => kind === CATEGORY),
        tags: carried.filter(({ kind }) => kind === TAG),
      };
    };
    return new Map(rows.map((row) => [row.id, linked(row)]));
  }
}

/** The latest change of an event or of what is shown with it (contract 5.2). */
export function latestChange(row: EventReadRow, { posts, categories, tags }: LinkedRecords): UtcTime {
  const times = [...Object.values(posts).flat(), ...categories, ...tags].map(({ modified_utc }) => modified_utc);
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
