import { randomBytes } from 'node:crypto';
import { setImmediate as others } from 'node:timers/promises';
import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

type Definition = ReturnType<(typeof TYPES)['text']>;

/** The columns to add, by table. Rows that instances of the previous version write meanwhile get the default. */
const COLUMNS: readonly [table: string, column: string, definition: Definition, suffix: string][] = [
  ['changes', 'listed_before', TYPES.flag(), 'NOT NULL DEFAULT 1'],
  ['changes', 'listed_after', TYPES.flag(), 'NOT NULL DEFAULT 1'],
  ['changes', 'listed', TYPES.flag(), 'NOT NULL DEFAULT 1'],
  ['changes', 'owner_id', TYPES.id(), 'NOT NULL DEFAULT 0'],
  ['data_version', 'epoch', TYPES.text(8), "NOT NULL DEFAULT ''"],
  ['site', 'purged_before_utc', TYPES.time(), 'NULL'],
];

const INDEXES: readonly [table: string, name: string, columns: string[]][] = [
  ['changes', 'ix_changes_listed', ['listed', 'seq', 'id']],
  ['venues', 'ix_venues_status', ['status', 'public_from']],
  ['organizers', 'ix_organizers_status', ['status', 'public_from']],
];

/** The condition for records that an anonymous list shows. */
const IS_PUBLIC = `public_from <= ?`;
const LISTED: Record<string, string> = {
  events: `${IS_PUBLIC} AND hide_from_listings = 0`,
  venues: IS_PUBLIC,
  organizers: IS_PUBLIC,
};

/** Ids per statement. On servers each statement is a short transaction, because other instances write meanwhile. */
const IDS = 5_000;

/**
 * Stores who may know of each change. Old changes get the present state of their record; those of a missing record count
 * as listed before. The epoch tells a database from its restored copy.
 */
export class ChangeAudience1795405000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted run may have done a part of it.
    for (const [table, column, definition, suffix] of COLUMNS) {
      if (await runner.hasColumn(table, column)) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${typeOf(definition)} ${suffix}`);
    }
    await runner.query("UPDATE data_version SET epoch = ? WHERE epoch = ''", [randomBytes(4).toString('hex')]);
    await classifyOldChanges(runner);
    for (const [table, name, columnNames] of INDEXES) {
      const known = await runner.getTable(table);
      if (known?.indices.some((index) => index.name === name)) continue;
      await runner.createIndex(table, new TableIndex({ name, columnNames }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, name] of INDEXES) await runner.dropIndex(table, name);
    for (const [table, column] of COLUMNS) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

/** Writes a column type as SQL. */
function typeOf({ type, length, unsigned, charset, collation }: Definition): string {
  return [
    length === undefined ? type : `${type}(${length})`,
    ...(unsigned === true ? ['unsigned'] : []),
    ...(charset === undefined ? [] : [`CHARACTER SET ${charset}`]),
    ...(collation === undefined ? [] : [`COLLATE ${collation}`]),
  ].join(' ');
}

async function classifyOldChanges(runner: QueryRunner): Promise<void> {
  const [{ last = null } = {}] = (await runner.query('SELECT max(id) AS last FROM changes')) as {
    last: number | null;
  }[];
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  for (let from = 0; from < Number(last); from += IDS) {
    const range = `id > ${from} AND id <= ${from + IDS}`;
    for (const [table, listed] of Object.entries(LISTED)) {
      const state = `(SELECT CASE WHEN ${listed} THEN 1 ELSE 0 END FROM ${table} r WHERE r.id = record_id)`;
      await runner.query(
        `UPDATE changes SET owner_id = COALESCE((SELECT author_id FROM ${table} r WHERE r.id = record_id), 0),
         listed_before = COALESCE(${state}, 1), listed_after = COALESCE(${state}, 0), listed = COALESCE(${state}, 1)
         WHERE ${range} AND kind LIKE '${table.slice(0, -1)}.%'`,
        [now, now, now],
      );
    }
    // SQLite statements block the event loop. This pause lets the process respond to health probes.
    await others();
  }
}
