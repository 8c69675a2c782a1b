import { condition } from '../../kernel/sql-condition.js';
import { WeightedCache, weightOf } from '../../kernel/weighted-cache.js';
import type { Sql, SqlValue } from '../sql/dialect.js';
import { charactersOf } from '../sql/row-batches.js';
import { type DatabaseState, readAtVersion } from './read-at-version.js';

/** A kind of records: their table, and which of them to read. */
interface Wanted {
  readonly table: string;
  /** These do not exist unless the statement returns them. */
  readonly ids: readonly number[];
  /** The rows are not from a state before this version. */
  readonly minVersion: number;
}

/** How much of the capacity values of a table may take. */
const SHARE_OF_MADE = 0.05;

/**
 * Records by id that stay cached across commits. Its owner follows the change record: it drops the records that a change
 * names, and tells up to which state it has done so.
 */
export class RecordCache {
  private entries: WeightedCache;
  private readonly versions = new WeakMap<object, number>();
  /** By table: values that were made of any of its records. */
  private readonly made = new Map<string, WeightedCache>();
  /** By table: how often some of its records were dropped. */
  private readonly drops = new Map<string, number>();
  private droppedUpTo: DatabaseState | undefined;

  constructor(
    /** Maximum sum of weights. A row weighs 1, and so do 500 characters. */
    private readonly capacity: number,
    private readonly tables: ReadonlySet<string>,
  ) {
    this.entries = new WeightedCache(capacity);
  }

  /** Whether it caches the records of a table. */
  holds(table: string): boolean {
    return this.tables.has(table);
  }

  /** Returns a record, null if the database has none with this id, or undefined if it is not cached. */
  get(table: string, id: number): object | null | undefined {
    return this.entries.get(`${table} ${id}`) as object | null | undefined;
  }

  /** Drops records that commits up to a state have changed. */
  drop(table: string, ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.made.delete(table);
    this.countDrop(table);
    for (const id of ids) this.entries.delete(`${table} ${id}`);
  }

  /**
   * Returns a function that tells whether the records of these tables are the same as those that a request reads from now on.
   * undefined: later commits are taken over already. The function would not tell of them, and a node of a cluster that lags
   * behind may have given the records before them.
   */
  watch(tables: readonly string[], { version, epoch }: DatabaseState): (() => boolean) | undefined {
    const { droppedUpTo } = this;
    if (droppedUpTo?.version !== version || droppedUpTo.epoch !== epoch) return undefined;
    const sum = () => tables.reduce((total, table) => total + (this.drops.get(table) ?? 0), 0);
    const before = sum();
    return () => sum() === before;
  }

  private countDrop(table: string): void {
    this.drops.set(table, (this.drops.get(table) ?? 0) + 1);
  }

  /** Notes that everything was dropped that commits up to a state have changed. Rows read before are not cached any more. */
  moveTo(state: DatabaseState): void {
    this.droppedUpTo = state;
  }

  /** Drops everything, because commits up to a state may have changed anything. */
  clear(state: DatabaseState): void {
    this.entries = new WeightedCache(this.capacity);
    this.made.clear();
    for (const table of this.tables) this.countDrop(table);
    this.moveTo(state);
  }

  /** Returns a value that was made of any records of a table, and caches it until one of them changes. */
  async make<Value extends object>(
    sql: Sql,
    { table, key, minVersion }: { readonly table: string; readonly key: string; readonly minVersion: number },
    make: (sql: Sql) => Promise<Value>,
  ): Promise<Value> {
    const cached = this.made.get(table)?.get(key) as Value | undefined;
    if (cached !== undefined) return cached;
    const states: DatabaseState[] = [];
    const value = await make(notingStates(sql, minVersion, states));
    if (!states.every((state) => this.isNewEnough(state))) return value;
    const values = this.made.get(table) ?? new WeightedCache(this.capacity * SHARE_OF_MADE);
    this.made.set(table, values);
    values.set(key, value, weightOf(1, key.length + JSON.stringify(value).length));
    return value;
  }

  /** Returns the rows of one SELECT with a column `id`, and caches them. `read` must send it by the `Sql` that it gets. */
  async load<Row extends { readonly id: number }>(
    sql: Sql,
    { table, ids, minVersion }: Wanted,
    read: (sql: Sql) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const states: DatabaseState[] = [];
    const rows = await read(notingStates(sql, minVersion, states));
    const [state] = states;
    if (state === undefined || states.length > 1 || !this.isNewEnough(state)) return rows;
    for (const id of ids) this.set(table, id, null, state.version);
    for (const row of rows) this.set(table, row.id, row, state.version);
    return rows;
  }

  /** Caches rows that the owner itself has read, from the state up to which it has dropped changed records, or a later one. */
  keep(table: string, rows: readonly { readonly id: number }[], version: number): void {
    for (const row of rows) this.set(table, row.id, row, version);
  }

  /** Returns from which version of the database a cached record was read. undefined: unknown. */
  versionOf(record: object): number | undefined {
    return this.versions.get(record);
  }

  private set(table: string, id: number, record: object | null, version: number): void {
    if (record !== null) this.versions.set(record, version);
    this.entries.set(`${table} ${id}`, record, weightOf(1, charactersOf(record ?? {})));
  }

  /** A row that was read before its change was dropped would stay for ever. */
  private isNewEnough({ version, epoch }: DatabaseState): boolean {
    const { droppedUpTo } = this;
    return droppedUpTo !== undefined && epoch === droppedUpTo.epoch && version >= droppedUpTo.version;
  }
}

/** Notes from which state each statement has read. Each must select a column `id`. */
function notingStates(sql: Sql, minVersion: number, states: DatabaseState[]): Sql {
  return {
    query: async <Result>(statement: string, params: readonly SqlValue[] = []) => {
      const found = await readAtVersion<{ id: number }>(sql, minVersion, condition(statement, ...params));
      states.push(found);
      return found.rows as unknown as Result[];
    },
  };
}
