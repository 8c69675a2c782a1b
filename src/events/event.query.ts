import type { Sql } from '../database/sql/dialect.js';
import { cachedQuery, cachedRecords, recordsFor } from '../database/cache/read-cache.js';
import { TABLES } from '../database/sql/tables.js';
import { type IdOrSlug, whereIdOrSlug } from '../kernel/id-or-slug.js';
import { condition, isOneOf, type SqlCondition } from '../kernel/sql-condition.js';
import { joinImage } from '../platform/images/image.columns.js';
import { type Shown, shownColumns } from '../posts/post.columns.js';
import type { EventRow } from './event.entity.js';
import { LINKED, LINKED_NAMES, type LinkedName } from './event.link-kinds.js';

/** An event's row for a response. */
export type EventReadRow = Shown<EventRow> & {
  /** Ids as CSV, in the order given. null: none. */
  readonly [Name in `${LinkedName}_ids` | 'term_ids']: string | null;
};

const COLUMNS = [
  'excerpt',
  'start_local',
  'end_local',
  'start_utc',
  'end_utc',
  'timezone',
  'all_day',
  'cost',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'post_parent',
  'password_hash',
  'uid',
] as const satisfies readonly (keyof EventRow)[];

const ids = (table: string, column: string, order: string) =>
  `(SELECT group_concat(l.${column} ORDER BY l.${order}) FROM ${table} l WHERE l.event_id = e.id)`;

/** The columns to select of `events e`. Subqueries for links give one row per event, where joins would multiply rows. */
export const SHOWN_COLUMNS = [
  ...shownColumns('e', COLUMNS),
  ...LINKED_NAMES.map((name) => {
    const { linkTable, linkColumn } = LINKED[name].kind;
    return `${ids(linkTable, linkColumn, 'position')} AS ${name}_ids`;
  }),
  `${ids(TABLES.eventTerms, 'term_id', 'term_id')} AS term_ids`,
].join(', ');

/** Counts events. `hint`: the index hint of the dialect, or '' to let the engine choose. */
export async function countEvents(sql: Sql, where: SqlCondition, hint: string): Promise<number> {
  const [row] = await cachedQuery<{ total: number }>(
    sql,
    `SELECT count(*) AS total FROM ${TABLES.events} e${hint} WHERE ${where.sql}`,
    where.params,
  );
  return Number(row?.total ?? 0);
}

export async function findEvent(sql: Sql, idOrSlug: IdOrSlug): Promise<EventReadRow | undefined> {
  if (recordsFor(sql, TABLES.events) === undefined) return (await select(sql, whereIdOrSlug(idOrSlug, 'e.')))[0];
  const id = 'id' in idOrSlug ? idOrSlug.id : await idWithSlug(sql, idOrSlug);
  if (id === undefined) return undefined;
  const load = (database: Sql, missing: readonly number[]) => select(database, isOneOf('e.id', missing));
  const row = (await cachedRecords<EventReadRow>(sql, TABLES.events, [id], load)).get(id);
  // A commit between the two statements may have given it another slug.
  return 'id' in idOrSlug || row?.slug === idOrSlug.slug ? row : undefined;
}

async function idWithSlug(sql: Sql, bySlug: IdOrSlug): Promise<number | undefined> {
  const { sql: where, params } = whereIdOrSlug(bySlug);
  const [found] = await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.events} WHERE ${where}`, params);
  return found?.id;
}

function select(sql: Sql, where: SqlCondition): Promise<EventReadRow[]> {
  const shown = selectShown(where);
  return sql.query<EventReadRow>(shown.sql, shown.params);
}

/** Returns the SELECT of the rows of `events e` that meet a condition. */
export function selectShown({ sql: where, params }: SqlCondition): SqlCondition {
  return condition(`SELECT ${SHOWN_COLUMNS} FROM ${TABLES.events} e ${joinImage('e')} WHERE ${where}`, ...params);
}

/** Returns the ids of an event and of its ancestors, nearest first. */
export async function ancestorsOf(sql: Sql, id: number): Promise<number[]> {
  const ancestors: number[] = [];
  for (let next = id; next !== 0 && !ancestors.includes(next);) {
    ancestors.push(next);
    const [row] = await sql.query<{ post_parent: number }>(`SELECT post_parent FROM ${TABLES.events} WHERE id = ?`, [
      next,
    ]);
    next = row?.post_parent ?? 0;
  }
  return ancestors;
}

export function idsOf(csv: string | null): number[] {
  return csv === null ? [] : csv.split(',').map(Number);
}

export function csvOf(ids: readonly number[]): string | null {
  return ids.length === 0 ? null : ids.join(',');
}
