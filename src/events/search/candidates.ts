import { type Change, changedIds, isComplete, joinChangesSince } from '../../database/cache/recent-changes.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { allOf, isOneOf } from '../../kernel/sql-condition.js';
import { EVENT } from '../event.kind.js';
import { blockOf, idsInAll, type Slice } from './grams.js';
import type { SearchSliceRow } from './search-index.entity.js';

/** Beyond this many changes after the index, searches do not use the index: each changed event is a candidate. */
const MAX_CHANGES = 4_000;

/** The progress of the search index. */
export interface SearchIndexState {
  /** The highest id of an event, about the number of events. */
  readonly lastId: number;
  /** The data version: the number of the last commit. */
  readonly version: number;
  /** The number of the last indexed commit. undefined: there is no index. */
  readonly seq: number | undefined;
  /** The ids of events that later commits changed. undefined: too many, or unknown. */
  readonly changed: readonly number[] | undefined;
}

interface StateRow {
  readonly version: number;
  readonly last_id: number | null;
  readonly indexed_seq: number | null;
  readonly seq: number | null;
  readonly kind: string | null;
  readonly record_id: number | null;
}

export async function readIndexState(sql: Sql): Promise<SearchIndexState> {
  const rows = await sql.query<StateRow>(
    `SELECT v.version, (SELECT max(id) FROM ${TABLES.events}) AS last_id, i.seq AS indexed_seq, c.seq, c.kind, c.record_id
     FROM ${TABLES.dataVersion} v LEFT JOIN ${TABLES.searchIndex} i ON i.id = 1
     ${joinChangesSince('i.seq')} WHERE v.id = 1 LIMIT ${MAX_CHANGES}`,
  );
  const [{ version = 0, last_id = null, indexed_seq: indexed = null } = {}] = rows as Partial<StateRow>[];
  const changes = rows.filter((row): row is StateRow & Change => row.seq !== null);
  const isKnown = indexed !== null && rows.length < MAX_CHANGES && isComplete(changes, indexed, version);
  return {
    lastId: last_id ?? 0,
    version,
    seq: indexed ?? undefined,
    changed: isKnown ? changedIds(changes, EVENT.noun) : undefined,
  };
}

/** Returns the ids, up to `lastId`, of events whose texts have or once had all these grams. */
export async function readCandidates(sql: Sql, lastId: number, grams: readonly number[]): Promise<number[]> {
  // Names all blocks, because slices are stored by (block, gram): a query by gram alone would scan the table.
  const blocks = Array.from({ length: blockOf(lastId) + 1 }, (_, block) => block);
  const { sql: where, params } = allOf([isOneOf('block', blocks), isOneOf('gram', grams)]);
  const rows = await sql.query<SearchSliceRow>(
    `SELECT block, events FROM ${TABLES.searchSlices} WHERE ${where}`,
    params,
  );
  const slices = new Map<number, Slice[]>();
  for (const { block, events } of rows) slices.set(block, [...(slices.get(block) ?? []), events]);
  // If a gram has no slice in a block, no event of the block has it.
  return [...slices].flatMap(([block, found]) => (found.length < grams.length ? [] : idsInAll(block, found)));
}
