import { isOneOf } from '../../kernel/sql-condition.js';
import { COUNT_COLUMN, type Counter, CounterChanges } from '../sql/counters.js';
import type { Dialect, Sql, SqlValue } from '../sql/dialect.js';
import { batchesOf, type Row } from '../sql/row-batches.js';
import type { Outcome } from './session.js';
import { TABLES } from '../sql/tables.js';

/** What may be done inside one transaction. Everything that writes takes it as its first parameter. */
export class Transaction implements Sql {
  private readonly changes: { kind: string; recordId: number; userId: number }[] = [];
  private readonly counts = new CounterChanges();
  private readonly held = new Map<string, Map<number, object>>();
  private version: number | undefined;

  constructor(
    private readonly send: (sql: string, params: readonly SqlValue[]) => Promise<Outcome>,
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
    for (const part of batchesOf(rows)) await this.insertPart(table, part);
  }

  /** Inserts rows of one shape with one statement: all of them, or none when it fails. `batchesOf` cuts such parts. */
  async insertPart(table: string, rows: readonly Row[], suffix = ''): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    const places = `(${columns.map(() => '?').join(', ')})`;
    await this.send(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}${suffix}`,
      rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
    );
  }

  /** Changes the named columns of one row. */
  async update(table: string, id: number, values: object): Promise<void> {
    this.held.get(table)?.delete(id);
    const assignments = Object.keys(values).map((column) => `${column} = ?`);
    const sql = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`;
    await this.send(sql, [...(Object.values(values) as SqlValue[]), id]);
  }

  /** Sends a statement that changes rows and answers how many. */
  async execute(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return (await this.send(sql, params)).affected;
  }

  /** Holds names until the end. All in one call and in one order, so that two transactions do not wait for each other. */
  async lockNames(names: readonly string[]): Promise<void> {
    const sorted = [...new Set(names)].sort();
    if (sorted.length > 0) await this.dialect.lockNames(this, sorted);
  }

  lockName(name: string): Promise<void> {
    return this.lockNames([name]);
  }

  /**
   * Keeps the named rows from being changed or deleted before the commit, and answers the ids of those that are gone.
   * `shown`: what selects the rows of the table, as `p`, as `cachedRecords` has them, which need not read them again then.
   */
  async hold(table: string, ids: readonly number[], shown?: string): Promise<number[]> {
    if (ids.length === 0) return [];
    const { sql, params } = isOneOf('p.id', [...new Set(ids)]);
    const rows = await this.query<{ id: number }>(
      `${shown ?? `SELECT p.id FROM ${table} p`} WHERE ${sql} ORDER BY p.id${this.dialect.forShare}`,
      params,
    );
    const held = new Map(rows.map((row) => [row.id, row]));
    if (shown !== undefined) this.held.set(table, held);
    return ids.filter((id) => !held.has(id));
  }

  /** A row as it is shown and stays, if this transaction holds it and has not changed it itself. */
  heldRow(table: string, id: number): object | undefined {
    return this.held.get(table)?.get(id);
  }

  /** Notes a change for the change record, e.g. `event.created`. */
  note(kind: string, recordId: number, userId: number): void {
    this.changes.push({ kind, recordId, userId });
  }

  /**
   * Adds to a count, at the end of the transaction: everybody writes to the same few rows, so they are taken while
   * `data_version` is held, by one transaction at a time, and never by two that wait for each other.
   */
  count(counter: Counter, key: readonly SqlValue[], by: number): void {
    this.counts.add(counter, key, by);
  }

  /** What this transaction has added to a count that is not written yet. */
  counted(counter: Counter, key: readonly SqlValue[]): number {
    return this.counts.of(counter, key);
  }

  /**
   * Raises `data_version` and holds its row to the end: nothing commits meanwhile, so numbers rise in the order of
   * commits. Nothing that another transaction may hold is waited for afterwards.
   */
  async holdVersion(): Promise<number> {
    if (this.version !== undefined) return this.version;
    const result = await this.send(this.dialect.increment(TABLES.dataVersion, 'version'), []);
    const version = this.dialect.incremented(result.raw);
    // Without it nobody would learn of this commit.
    if (version === 0) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
    this.version = version;
    return version;
  }

  /** The last step before COMMIT: the counts, and the change record, whose `seq` is the number of the commit. */
  async writeChangeRecord(nowUtc: string): Promise<void> {
    const counts = this.counts.changed();
    if (this.changes.length === 0 && counts.length === 0) return;
    const seq = await this.holdVersion();
    for (const [{ table, key }, rows] of counts) {
      const suffix = this.dialect.addOnConflict(key, COUNT_COLUMN);
      for (const part of batchesOf(rows)) await this.insertPart(table, part, suffix);
    }
    const rows = this.changes.map(({ kind, recordId, userId }) => ({
      seq,
      kind,
      record_id: recordId,
      user_id: userId,
      made_utc: nowUtc,
    }));
    await this.insertMany(TABLES.changes, rows);
  }
}

/** What the transaction that asks has added to a count; others see what is committed. */
export function addedHere(sql: Sql, counter: Counter, key: readonly SqlValue[]): number {
  return sql instanceof Transaction ? sql.counted(counter, key) : 0;
}
