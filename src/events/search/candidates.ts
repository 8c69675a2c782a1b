import { type Change, changedIds, isComplete, joinChangesSince } from '../../database/cache/recent-changes.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, isOneOf } from '../../kernel/sql-condition.js';
import { EVENT } from '../event.kind.js';
import { blockOf, markedInAll, type Slice } from './grams.js';
import type { SearchSliceRow } from './search-index.entity.js';

/** More changes than this that the index does not know are not worth a look at each of their events. */
const MOST_CHANGES = 4_000;

/** What the index knows, and what it does not know yet. */
export interface SearchIndexState {
  /** The last id of an event, about as high as there are events. */
  readonly lastId: number;
  /** The last commit. */
  readonly version: number;
  /** Up to which commit the index knows the events; undefined: there is no index. */
  readonly seq: number | undefined;
  /** The events that later commits have changed; undefined: they are too many, or not known. */
  readonly changed: readonly number[] | undefined;
}

interface StateRow {
  readonly version: number;
  readonly last_id: number | null;
  readonly known: number | null;
  readonly seq: number | null;
  readonly kind: string | null;
  readonly record_id: number | null;
}

export async function readSearchIndex(sql: Sql): Promise<SearchIndexState> {
  const rows = await sql.query<StateRow>(
    `SELECT v.version, (SELECT max(id) FROM ${TABLES.events}) AS last_id, i.seq AS known, c.seq, c.kind, c.record_id
     FROM ${TABLES.dataVersion} v LEFT JOIN ${TABLES.searchIndex} i ON i.id = 1
     ${joinChangesSince('i.seq')} WHERE v.id = 1 LIMIT ${MOST_CHANGES}`,
  );
  const [{ version = 0, last_id = null, known = null } = {}] = rows as Partial<StateRow>[];
  const changes = rows.filter((row): row is StateRow & Change => row.seq !== null);
  const isKnown = known !== null && rows.length < MOST_CHANGES && isComplete(changes, known, version);
  return {
    lastId: last_id ?? 0,
    version,
    seq: known ?? undefined,
    changed: isKnown ? changedIds(changes, EVENT.noun) : undefined,
  };
}

/** The ids up to the last one of the events that have, or once had, all these grams in their texts. */
export async function readMarked(sql: Sql, lastId: number, grams: readonly number[]): Promise<number[]> {
  // By their whole key: of a gram alone the slices lie far from each other.
  const blocks = Array.from({ length: blockOf(lastId) + 1 }, (_, block) => block);
  const { sql: where, params } = allOf([isOneOf('block', blocks), isOneOf('gram', grams)]);
  const rows = await sql.query<SearchSliceRow>(
    `SELECT block, events FROM ${TABLES.searchSlices} WHERE ${where}`,
    params,
  );
  const slices = new Map<number, Slice[]>();
  for (const { block, events } of rows) slices.set(block, [...(slices.get(block) ?? []), events]);
  // A block that lacks a slice has nothing in common.
  return [...slices].flatMap(([block, those]) => (those.length < grams.length ? [] : markedInAll(block, those)));
}
