import { isOneOf } from '../../kernel/sql-condition.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { isListed, type ListedState } from '../../kernel/visibility.js';
import type { Sql } from '../sql/dialect.js';
import { TABLES } from '../sql/tables.js';

/** Who may know of a change of a record (changes rule 4). */
export interface Audience {
  /** Whether an anonymous list showed the record before. */
  readonly before: boolean;
  /** Whether an anonymous list shows the record now. */
  readonly after: boolean;
  /** The author, who may know of the change in any case. 0: none. */
  readonly ownerId: number;
}

/** A change whose writer does not know its audience. */
interface Unclassified {
  readonly kind: string;
  readonly recordId: number;
}

/** The tables of records that are not always listed, with the columns that decide it. */
const LISTED: Record<string, { readonly table: string; readonly columns: readonly (keyof ListedState)[] }> = {
  event: { table: TABLES.events, columns: ['public_from', 'author_id', 'hide_from_listings'] },
  venue: { table: TABLES.venues, columns: ['public_from', 'author_id'] },
  organizer: { table: TABLES.organizers, columns: ['public_from', 'author_id'] },
};
const ALWAYS_LISTED = ['category', 'tag'];

/**
 * Returns the audiences of changes by the present state of their records. A missing record counts as listed before,
 * because a copy that never had it ignores its deletion. Changes of other things than records have no audience.
 */
export async function presentAudiences(
  sql: Sql,
  changes: readonly Unclassified[],
  nowUtc: UtcTime,
): Promise<Audience[]> {
  const states = new Map<string, ReadonlyMap<number, Audience>>();
  for (const noun of new Set(changes.map(nounOf))) {
    const ids = changes.filter((change) => nounOf(change) === noun).map(({ recordId }) => recordId);
    if (LISTED[noun] !== undefined) states.set(noun, await statesOf(sql, noun, [...new Set(ids)], nowUtc));
  }
  return changes.map((change) => {
    const noun = nounOf(change);
    const isRecord = states.has(noun) || ALWAYS_LISTED.includes(noun);
    const isGone = change.kind.endsWith('.deleted');
    const state = states.get(noun)?.get(change.recordId) ?? {
      before: isRecord,
      after: isRecord && !states.has(noun) && !isGone,
      ownerId: 0,
    };
    return change.kind.endsWith('.created') ? { ...state, before: false } : state;
  });
}

function nounOf({ kind }: Unclassified): string {
  return kind.split('.', 1)[0] as string;
}

async function statesOf(
  sql: Sql,
  noun: string,
  ids: readonly number[],
  nowUtc: UtcTime,
): Promise<Map<number, Audience>> {
  const { table, columns } = LISTED[noun]!;
  const { sql: where, params } = isOneOf('id', ids);
  const rows = await sql.query<ListedState & { readonly id: number }>(
    `SELECT ${['id', ...columns].join(', ')} FROM ${table} WHERE ${where}`,
    params,
  );
  return new Map(
    rows.map((row) => {
      const listed = isListed(row, nowUtc);
      return [row.id, { before: listed, after: listed, ownerId: row.author_id }];
    }),
  );
}
