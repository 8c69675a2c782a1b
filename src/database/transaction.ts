import type { QueryResult } from 'typeorm';
import { isOneOf } from '../kernel/condition.js';
import type { Dialect, Sql, SqlValue } from './dialect.js';
import { partsOf, type Row } from './rows.js';
import { TABLES } from './tables.js';

/** What may be done inside one transaction. Everything that writes takes it as its first parameter. */
export class Transaction implements Sql {
  private readonly changes: { kind: string; recordId: number; userId: number }[] = [];

  constructor(
    private readonly send: (sql: string, params: readonly SqlValue[]) => Promise<QueryResult>,
    readonly dialect: Dialect,
  ) {}

  async query<Found = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Found[]> {
    return (await this.send(sql, params)).raw as Found[];
  }

  /** Inserts one row and answers its id. */
  async insert(table: string, row: object): Promise<number> {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
    const result = await this.send(sql, Object.values(row) as SqlValue[]);
    return this.dialect.insertedId(result.raw);
  }

  /** Inserts rows of one shape, many with one statement. */
  async insertMany(table: string, rows: readonly Row[]): Promise<void> {
    for (const part of partsOf(rows)) await this.insertPart(table, part);
  }

  /** Inserts rows of one shape with one statement: all of them, or none when it fails. `partsOf` cuts such parts. */
  async insertPart(table: string, rows: readonly Row[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    const places = `(${columns.map(() => '?').join(', ')})`;
    await this.send(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
      rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
    );
  }

  /** Changes the named columns of one row. */
  async update(table: string, id: number, values: object): Promise<void> {
    const assignments = Object.keys(values).map((column) => `${column} = ?`);
    const sql = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`;
    await this.send(sql, [...(Object.values(values) as SqlValue[]), id]);
  }

  /** Sends a statement that changes rows and answers how many. */
  async execute(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return (await this.send(sql, params)).affected ?? 0;
  }

  /** Holds names until the end. All in one call and in one order, so that two transactions do not wait for each other. */
  async lockNames(names: readonly string[]): Promise<void> {
    const sorted = [...new Set(names)].sort();
    if (sorted.length > 0) await this.dialect.lockNames(this, sorted);
  }

  lockName(name: string): Promise<void> {
    return this.lockNames([name]);
  }

  /** Keeps the named rows from being deleted before the commit, and answers the ids of those that are gone. */
  async hold(table: string, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const { sql, params } = isOneOf('id', [...new Set(ids)]);
    const rows = await this.query<{ id: number }>(
      `SELECT id FROM ${table} WHERE ${sql} ORDER BY id${this.dialect.forShare}`,
      params,
    );
    const held = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !held.has(id));
  }

  /** Notes a change for the change record, e.g. `event.created`. */
  note(kind: string, recordId: number, userId: number): void {
    this.changes.push({ kind, recordId, userId });
  }

  /**
   * The last step before COMMIT: the row of `data_version` is held from here to the end, so `seq` rises in the order
   * of commits.
   */
  async writeChangeRecord(nowUtc: string): Promise<void> {
    if (this.changes.length === 0) return;
    const raised = await this.execute(`UPDATE ${TABLES.dataVersion} SET version = version + 1 WHERE id = 1`);
    // Without it nobody would learn of this commit.
    if (raised === 0) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
    const [{ version } = { version: 0 }] = await this.query<{ version: number }>(
      `SELECT version FROM ${TABLES.dataVersion} WHERE id = 1`,
    );
    const rows = this.changes.map(({ kind, recordId, userId }) => ({
      seq: version,
      kind,
      record_id: recordId,
      user_id: userId,
      made_utc: nowUtc,
    }));
    await this.insertMany(TABLES.changes, rows);
  }
}
