import { type Change, changedIds, isComplete, joinChangesSince } from '../../database/cache/recent-changes.js';
import { ALL_CHANGED } from '../../database/connection/transaction.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { EVENT } from '../event.kind.js';

/** From this many changes after the index on, searches do not use it: they would compare too many texts. */
const MAX_CHANGES = 4_000;

/** How far the search index is. */
export interface IndexProgress {
  /** The number of the last commit, and the history that it belongs to. */
  readonly version: number;
  readonly epoch: string;
  /** The highest id of an event, about the number of events. */
  readonly lastId: number;
  /** The number of the last indexed commit. undefined: there is no index. */
  readonly seq: number | undefined;
  /** The next block to build. undefined: all are built. */
  readonly nextBlock: number | undefined;
}

/** The same with what the index lacks. */
export interface IndexState extends IndexProgress {
  /** The ids of events that later commits have changed. undefined: too many, unknown, or the index is not built. */
  readonly changed: readonly number[] | undefined;
}

interface ProgressRow {
  readonly version: number;
  readonly epoch: string;
  readonly last_id: number | null;
  readonly indexed_seq: number | null;
  readonly next_block: number | null;
}

type StateRow = ProgressRow & Partial<Change>;

const PROGRESS = `v.version, v.epoch, (SELECT max(id) FROM ${TABLES.events}) AS last_id, i.seq AS indexed_seq, i.next_block`;
const FROM = `FROM ${TABLES.dataVersion} v LEFT JOIN ${TABLES.searchIndex} i ON i.id = 1`;

export async function readProgress(sql: Sql): Promise<IndexProgress> {
  return progressOf(await sql.query<ProgressRow>(`SELECT ${PROGRESS} ${FROM} WHERE v.id = 1`));
}

export async function readIndexState(sql: Sql): Promise<IndexState> {
  const rows = await sql.query<StateRow>(
    `SELECT ${PROGRESS}, c.seq, c.kind, c.record_id
     ${FROM} ${joinChangesSince('i.seq')} AND i.next_block IS NULL WHERE v.id = 1 LIMIT ${MAX_CHANGES}`,
  );
  const progress = progressOf(rows);
  const changes = rows.filter((row): row is StateRow & Change => typeof row.seq === 'number');
  return { ...progress, changed: rows.length < MAX_CHANGES ? changedBy(progress, changes) : undefined };
}

/** Whether the changes do not tell which events have changed. */
export function areUnclear(changes: readonly Change[]): boolean {
  return changes.some(({ kind }) => kind === ALL_CHANGED);
}

function progressOf([row]: readonly ProgressRow[]): IndexProgress {
  if (row === undefined) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
  return {
    version: row.version,
    epoch: row.epoch,
    lastId: row.last_id ?? 0,
    seq: row.indexed_seq ?? undefined,
    nextBlock: row.next_block ?? undefined,
  };
}

function changedBy({ seq, nextBlock, version }: IndexProgress, changes: readonly Change[]): number[] | undefined {
  if (seq === undefined || nextBlock !== undefined) return undefined;
  return isComplete(changes, seq, version) && !areUnclear(changes) ? changedIds(changes, EVENT.noun) : undefined;
}
