import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../sql/dialect.js';
import type { SqlCondition } from '../../kernel/sql-condition.js';
import { TABLES } from '../sql/tables.js';
import { OutOfTime } from '../connection/unavailable.js';

/** Delays between attempts at a node of a cluster that lags behind, in milliseconds. */
const RETRY_DELAYS_MS = [5, 20, 50, 100, 200, 400];

/** Which commits a database has. */
export interface DatabaseState {
  /** The number of the last commit. */
  readonly version: number;
  /** Differs between a database and its restored copy, whose numbers repeat. */
  readonly epoch: string;
}

/** Rows, and the state of the database from which they were read. */
export interface VersionedRows<Row> extends DatabaseState {
  readonly rows: readonly Row[];
}

/**
 * Returns the rows of a SELECT with a column `id`, read from a version that is at least `minVersion`. One statement reads
 * both, so that both are of one state. What is kept in memory must be read like this: a node of a cluster that lags
 * behind would give rows that no later change corrects. Throws `OutOfTime` if the node stays behind.
 */
export function readAtVersion<Row extends { readonly id: number }>(
  sql: Sql,
  minVersion: number,
  select: SqlCondition,
): Promise<VersionedRows<Row>> {
  return fromVersion(minVersion, () => readWithVersion<Row>(sql, select));
}

/** Repeats a read until its rows are of a version that is at least `minVersion`, like `readAtVersion`. */
export async function fromVersion<Row>(
  minVersion: number,
  read: () => Promise<VersionedRows<Row>>,
): Promise<VersionedRows<Row>> {
  for (const delay of [...RETRY_DELAYS_MS, undefined]) {
    const found = await read();
    if (found.version >= minVersion) return found;
    if (delay !== undefined) await sleep(delay);
  }
  throw new OutOfTime();
}

/** Returns the rows of a SELECT with a column `id`, and the state of the database from which they were read. */
export async function readWithVersion<Row extends { readonly id: number }>(
  sql: Sql,
  { sql: select, params }: SqlCondition,
): Promise<VersionedRows<Row>> {
  return versionedRows(
    await sql.query<Row & StateColumns>(
      `SELECT ${STATE_COLUMNS}, r.* FROM ${TABLES.dataVersion} v LEFT JOIN (${select}) r ON 1 = 1 WHERE v.id = 1`,
      params,
    ),
  );
}

/** The columns of the state in a row of `data_version v` that is joined with others. */
export interface StateColumns {
  readonly read_version: number;
  readonly read_epoch: string;
}

export const STATE_COLUMNS = 'v.version AS read_version, v.epoch AS read_epoch';

/** Separates the rows of a LEFT JOIN of `data_version v` from the state. */
export function versionedRows<Row extends { readonly id: number }>(
  rows: readonly (Row & StateColumns)[],
): VersionedRows<Row> {
  const [first] = rows;
  if (first === undefined) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
  const { read_version: version, read_epoch: epoch } = first;
  // Without a row the join gives nulls.
  return {
    version,
    epoch,
    rows: (rows as readonly (Row & { readonly id: number | null })[]).filter(({ id }) => id !== null),
  };
}
