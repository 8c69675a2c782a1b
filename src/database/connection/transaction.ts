import type { EntityManager } from 'typeorm';
import { isOneOf } from '../../kernel/sql-condition.js';
import type { Dialect, Sql, SqlValue } from '../sql/dialect.js';
import { batchesOf, type Row } from '../sql/row-batches.js';
import { insertOf, type Statement, updateOf } from '../sql/row-statements.js';
import { type Audience, presentAudiences } from './present-audience.js';
import type { Outcome } from './session.js';
import { StatementQueue } from './statement-queue.js';
import { TABLES } from '../sql/tables.js';

/** A change of the change record. Without an audience, the present state of the record decides on it. */
interface RecordedChange {
  readonly kind: string;
  readonly recordId: number;
  readonly userId: number;
  readonly audience: Audience | undefined;
}

/** The kind of the change that a write of tables of other modules leaves. It has no record and no user. */
const EXTENSION_CHANGED = 'extension.changed';

/** The kind of the change of a commit that names no record: everything may have changed. */
export const ALL_CHANGED = 'all.changed';

/** The operations inside a transaction. Every function that writes takes it as its first parameter. */
export class Transaction implements Sql {
  private readonly queue: StatementQueue;
  private readonly changes: RecordedChange[] = [];
  private readonly lockedRows = new Map<string, Map<number, object>>();
  private version: number | undefined;
  private hasExtensionChange = false;
  private ownManager: EntityManager | undefined;

  constructor(
    private readonly sendTogether: (statements: readonly Statement[]) => Promise<readonly Outcome[]>,
    readonly dialect: Dialect,
    private readonly createManager: (tx: Transaction) => EntityManager,
    /** The statements that begin the transaction. They go along with its first one. */
    opening: readonly string[],
  ) {
    this.queue = new StatementQueue(sendTogether, (error) => dialect.isUnavailable(error), opening);
  }

  /**
   * TypeORM's EntityManager for the tables of other modules. Its statements run in this transaction, and its own
   * transactions are savepoints. A write of a table of this service is rejected.
   */
  get manager(): EntityManager {
    return (this.ownManager ??= this.createManager(this));
  }

  /**
   * Sends a statement and returns the driver's result. Statements that do not wait for each other go to a server together
   * (`StatementQueue`): an error of one ends the transaction.
   */
  send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    return this.queue.send({ sql, params });
  }

  /**
   * Sends a statement whose result nobody needs, along with the next one of `send`. Its error is that of the next statement,
   * or of the commit, and ends the transaction.
   */
  later(sql: string, params: readonly SqlValue[] = []): void {
    this.queue.later({ sql, params });
  }

  /** Sends a statement alone, so that its error is its own, and its caller may go on after it. */
  sendAlone(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    return this.queue.sendAlone({ sql, params });
  }

  /** Waits until all statements so far are carried out. */
  flush(): Promise<void> {
    return this.queue.flush();
  }

  /** Whether an error has ended the transaction. */
  get hasFailed(): boolean {
    return this.queue.failure !== undefined;
  }

  /** Whether the transaction has changed records, and so has a row in the change record. Known at its end. */
  get hasRecordedChanges(): boolean {
    return this.version !== undefined;
  }

  async query<Found = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Found[]> {
    return (await this.send(sql, params)).raw as Found[];
  }

  /** Inserts one row and returns its id. */
  async insert(table: string, row: object): Promise<number> {
    const columns = Object.keys(row);
    const placeholders = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`;
    const result = await this.send(sql, Object.values(row) as SqlValue[]);
    return this.dialect.insertedId(result.raw);
  }

  /** Inserts rows with the same columns, many per statement. */
  async insertMany(table: string, rows: readonly Row[]): Promise<void> {
    for (const batch of batchesOf(rows)) await this.insertBatch(table, batch);
  }

  /** As `insertMany`, by `later`. */
  insertLater(table: string, rows: readonly Row[]): void {
    for (const batch of batchesOf(rows)) this.queue.later(insertOf(table, batch));
  }

  /** Inserts rows with the same columns by one statement, which fails as a whole. `batchesOf` makes the batches. */
  async insertBatch(table: string, rows: readonly Row[]): Promise<void> {
    await this.queue.send(insertOf(table, rows));
  }

  /** Updates columns of one row. */
  async update(table: string, id: number, values: object): Promise<void> {
    this.lockedRows.get(table)?.delete(id);
    await this.queue.send(updateOf(table, id, values));
  }

  /** As `update`, by `later`. */
  updateLater(table: string, id: number, values: object): void {
    this.lockedRows.get(table)?.delete(id);
    this.queue.later(updateOf(table, id, values));
  }

  /** Sends a statement that changes rows and returns their number. */
  async execute(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return (await this.send(sql, params)).affected;
  }

  /** Locks names until the end of the transaction: all in one call and in sorted order, so that no deadlock occurs. */
  async lockNames(names: readonly string[]): Promise<void> {
    const sorted = [...new Set(names)].sort();
    const statement = sorted.length === 0 ? undefined : this.dialect.lockNames(sorted);
    if (statement !== undefined) await this.send(statement, sorted);
  }

  lockName(name: string): Promise<void> {
    return this.lockNames([name]);
  }

  /**
   * Share-locks rows until the commit and returns the ids of rows that do not exist.
   * `shown`: a SELECT of the rows, with the alias `p`, in the form of `cachedRecords`, which then need not read them again.
   */
  async lockRows(table: string, ids: readonly number[], shown?: string): Promise<number[]> {
    if (ids.length === 0) return [];
    const { sql, params } = isOneOf('p.id', [...new Set(ids)]);
    const rows = await this.query<{ id: number }>(
      `${shown ?? `SELECT p.id FROM ${table} p`} WHERE ${sql} ORDER BY p.id${this.dialect.forShare}`,
      params,
    );
    const locked = new Map(rows.map((row) => [row.id, row]));
    if (shown !== undefined) this.lockedRows.set(table, locked);
    return ids.filter((id) => !locked.has(id));
  }

  /** Returns a row that this transaction has locked by `lockRows` with `shown`, and has not changed since. */
  lockedRow(table: string, id: number): object | undefined {
    return this.lockedRows.get(table)?.get(id);
  }

  /**
   * Adds a change to the change record, e.g. `event.created`. `audience`: for writes that change whether the record is
   * listed, or its author.
   */
  recordChange(kind: string, recordId: number, userId: number, audience?: Audience): void {
    this.changes.push({ kind, recordId, userId, audience });
  }

  /** Returns the ids of the records of a noun, such as `event`, that it has changed so far. */
  changedIds(noun: string): number[] {
    const own = this.changes.filter(({ kind }) => kind.startsWith(`${noun}.`));
    return [...new Set(own.map(({ recordId }) => recordId))];
  }

  /** Adds one change `extension.changed` at the end of the change record: tables of other modules have changed. */
  recordExtensionChange(): void {
    this.hasExtensionChange = true;
  }

  /**
   * Increments `data_version` and locks its row until the commit, so that versions increase in commit order. Afterwards the
   * transaction must not wait for other locks, so that no deadlock occurs.
   */
  async lockVersion(): Promise<number> {
    if (this.version !== undefined) return this.version;
    const result = await this.send(this.dialect.increment(TABLES.dataVersion, 'version'), []);
    const version = this.dialect.incremented(result.raw);
    // Without the row, caches would not notice this commit.
    if (version === 0) throw new Error(`${TABLES.dataVersion} has lost its row with id 1`);
    this.version = version;
    return version;
  }

  /** Writes the change record, as the last step before `commit`. `seq` is the number of the commit. */
  async writeChangeRecord(nowUtc: string): Promise<void> {
    // The work may have ignored the error.
    this.queue.mustBeIntact();
    if (this.hasExtensionChange) this.recordChange(EXTENSION_CHANGED, 0, 0);
    if (this.changes.length === 0 && this.version === undefined) return;
    // Without a change, followers of the change record would take this commit for one whose changes were purged.
    if (this.changes.length === 0) this.recordChange(ALL_CHANGED, 0, 0);
    const audiences = await this.audiences(nowUtc);
    const seq = await this.lockVersion();
    const rows = this.changes.map((change, index) => rowOf(change, audiences[index]!, { seq, made_utc: nowUtc }));
    this.insertLater(TABLES.changes, rows);
  }

  async commit(): Promise<void> {
    await this.queue.sendLast({ sql: 'COMMIT', params: [] });
  }

  async rollBack(): Promise<void> {
    // What is still on its way would be committed by itself afterwards.
    await this.queue.end();
    await this.sendTogether([{ sql: 'ROLLBACK', params: [] }]);
  }

  private async audiences(nowUtc: string): Promise<Audience[]> {
    const unknown = this.changes.filter(({ audience }) => audience === undefined);
    const found = (unknown.length === 0 ? [] : await presentAudiences(this, unknown, nowUtc)).values();
    return this.changes.map(({ audience }) => audience ?? found.next().value!);
  }
}

function rowOf(
  { kind, recordId, userId }: RecordedChange,
  { before, after, ownerId }: Audience,
  commit: { readonly seq: number; readonly made_utc: string },
): Row {
  return {
    ...commit,
    kind,
    record_id: recordId,
    user_id: userId,
    listed_before: before ? 1 : 0,
    listed_after: after ? 1 : 0,
    listed: before || after ? 1 : 0,
    owner_id: ownerId,
  };
}
