import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { weightOf } from '../../kernel/weighted-cache.js';
import type { Sql, SqlValue } from '../sql/dialect.js';
import { type CacheEntries, NOT_READ } from './cache-entries.js';
import type { DatabaseState } from './read-at-version.js';
import type { RecordCache } from './record-cache.js';
import { charactersOf } from '../sql/row-batches.js';
import { Transaction } from '../connection/transaction.js';

/** Numbers that weigh as much as a row. */
const NUMBERS_PER_UNIT = 100;

/** The statements of one reading request. Read results are cached until the next commit. */
export class ReadCache implements Sql {
  /** For statements that may read many rows. */
  readonly scans: ReadCache;

  constructor(
    /** The database itself, without a cache. */
    readonly sql: Sql,
    /** The cache. A row weighs 1, and so do 500 characters. */
    readonly entries: CacheEntries,
    scans?: Sql,
    /** Records that stay cached across commits. It has dropped those that commits up to `state` have changed. */
    readonly records?: RecordCache,
  ) {
    this.scans = scans === undefined ? this : new ReadCache(scans, entries);
  }

  /** The same with records that stay cached across commits. */
  withRecords(records: RecordCache): ReadCache {
    return new ReadCache(this.sql, this.entries, this.scans.sql, records);
  }

  /** The state of the database after the request arrived. undefined: it was not read. */
  get state(): DatabaseState | undefined {
    return this.entries.state === NOT_READ ? undefined : this.entries.state;
  }

  /** Caches a value. `characters`: its size. */
  store(key: string, value: object, characters: number): void {
    this.entries.set(key, value, weightOf(1, key.length + characters));
  }

  query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.sql.query<Row>(sql, params);
  }
}

/**
 * Returns the cache moment: a time at which the same records are public as at `nowUtc`. Statements that use it instead of
 * `nowUtc` are equal for all requests, so that their results can be cached.
 */
export function cacheMoment(sql: Sql, nowUtc: UtcTime): UtcTime {
  return sql instanceof ReadCache ? sql.entries.validFrom : nowUtc;
}

/** Returns the rows of a small result, cached by statement and values. Transactions bypass the cache. */
export async function cachedQuery<Row extends object>(
  sql: Sql,
  statement: string,
  params: readonly SqlValue[],
): Promise<readonly Row[]> {
  if (!(sql instanceof ReadCache)) return sql.query<Row>(statement, params);
  const key = `${statement} ${JSON.stringify(params)}`;
  const cached = sql.entries.get(key) as readonly Row[] | undefined;
  if (cached !== undefined) return cached;
  const rows = await sql.query<Row>(statement, params);
  // The statement counts, too, because it may contain a thousand ids.
  const characters = rows.reduce((sum, row) => sum + charactersOf(row), key.length);
  sql.entries.set(key, rows, weightOf(1 + rows.length, characters));
  return rows;
}

/** Returns a value of several statements, cached by `key` unless it is undefined. */
export async function cachedValue<Value extends string | readonly number[]>(
  sql: ReadCache,
  key: string,
  load: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const cached = sql.entries.get(key) as Value | undefined;
  if (cached !== undefined) return cached;
  const value = await load();
  if (value !== undefined) sql.entries.set(key, value, 1 + Math.floor(value.length / NUMBERS_PER_UNIT));
  return value;
}

/**
 * Returns records by id, in the order of `ids`. `load` reads those that are not cached under `name`, which is the table if
 * the records are its rows. An id without a record is cached, too.
 */
export async function cachedRecords<Value extends object>(
  sql: Sql,
  name: string,
  ids: readonly number[],
  load: (sql: Sql, ids: readonly number[]) => Promise<readonly (Value & { readonly id: number })[]>,
): Promise<Map<number, Value>> {
  const wanted = [...new Set(ids)];
  const records = recordsFor(sql, name);
  const cached = (id: number) => (records === undefined ? cachedRecord(sql, name, id) : records.get(name, id));
  const found = new Map(wanted.map((id) => [id, cached(id) as Value | null | undefined]));
  const missing = wanted.filter((id) => found.get(id) === undefined);
  const read = (database: Sql) => load(database, missing);
  const database = sql instanceof ReadCache ? sql.sql : sql;
  const minVersion = sql instanceof ReadCache ? (sql.state?.version ?? 0) : 0;
  const loaded =
    missing.length === 0
      ? []
      : await (records?.load(database, { table: name, ids: missing, minVersion }, read) ?? read(database));
  for (const record of loaded) found.set(record.id, record);
  if (sql instanceof ReadCache && records === undefined) {
    for (const id of missing) {
      const record = found.get(id) ?? null;
      sql.entries.set(`${name} ${id}`, record, weightOf(1, charactersOf(record ?? {})));
    }
  }
  return new Map([...found].filter((entry): entry is [number, Value] => entry[1] !== undefined && entry[1] !== null));
}

/** Returns a value made of any records of one table. Caches it until one of them changes, if records stay cached across commits. */
export function cachedOfTable<Value extends object>(
  sql: Sql,
  table: string,
  key: string,
  make: (sql: Sql) => Promise<Value>,
): Promise<Value> {
  const records = recordsFor(sql, table);
  if (records === undefined || !(sql instanceof ReadCache)) return make(sql);
  return records.make(sql.sql, { table, key, minVersion: sql.state?.version ?? 0 }, make);
}

/** Returns the cache across commits, if the request has one for the records of a table. */
export function recordsFor(sql: Sql, table: string): RecordCache | undefined {
  return sql instanceof ReadCache && sql.records?.holds(table) === true ? sql.records : undefined;
}

function cachedRecord(sql: Sql, name: string, id: number): unknown {
  if (sql instanceof Transaction) return sql.lockedRow(name, id);
  return sql instanceof ReadCache ? sql.entries.get(`${name} ${id}`) : undefined;
}
