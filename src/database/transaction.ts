import type { Dialect, Sql, SqlValue } from './dialect.js';
import { TABLES } from './tables.js';

type Row = Record<string, SqlValue>;

/** What may be done inside one transaction. Everything that writes takes it as its first parameter. */
export class Transaction implements Sql {
  private readonly changes: { kind: string; recordId: number; userId: number }[] = [];

  constructor(
    private readonly send: (sql: string, params: readonly SqlValue[]) => Promise<unknown>,
    readonly dialect: Dialect,
  ) {}

  async query<Found = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Found[]> {
    return (await this.send(sql, params)) as Found[];
  }

  /** Inserts one row and answers its id. */
  async insert(table: string, row: object): Promise<number> {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
    return this.dialect.insertedId(await this.send(sql, Object.values(row) as SqlValue[]));
  }

  /** Inserts rows of one shape with a single statement. */
  async insertMany(table: string, rows: readonly Row[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const places = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`;
    await this.send(
      sql,
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
    return this.dialect.affectedRows(await this.send(sql, params));
  }

  async lockName(name: string): Promise<void> {
    await this.dialect.lockName(this, name);
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
    await this.execute(`UPDATE ${TABLES.dataVersion} SET version = version + 1 WHERE id = 1`);
    const [{ version } = { version: 0 }] = await this.query<{ version: number }>(
      `SELECT version FROM ${TABLES.dataVersion} WHERE id = 1`,
    );
    for (let first = 0; first < this.changes.length; first += CHANGES_A_STATEMENT) {
      const rows = this.changes.slice(first, first + CHANGES_A_STATEMENT).map(({ kind, recordId, userId }) => ({
        seq: version,
        kind,
        record_id: recordId,
        user_id: userId,
        made_utc: nowUtc,
      }));
      await this.insertMany(TABLES.changes, rows);
    }
  }
}

const CHANGES_A_STATEMENT = 200;
