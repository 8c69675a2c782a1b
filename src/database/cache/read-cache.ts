import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Sql, SqlValue } from '../sql/dialect.js';
import type { CacheEntries } from './cache-entries.js';
import { charactersOf } from '../sql/row-batches.js';
import { Transaction } from '../connection/transaction.js';

/** This many characters count like a row: texts have no bound, and the room of a memory must have one. */
const CHARACTERS_A_UNIT = 500;
/** And so many numbers. */
const NUMBERS_A_UNIT = 100;

/** The statements of one reading request. What no commit has changed since it was read need not be read again. */
export class ReadCache implements Sql {
  /** For statements that may look at many rows. */
  readonly scans: ReadCache;

  constructor(
    /** The database itself, which remembers nothing. */
    readonly sql: Sql,
    /** Where a row is a unit of room, and so are 500 characters. */
    readonly memory: CacheEntries,
    scans?: Sql,
  ) {
    this.scans = scans === undefined ? this : new ReadCache(scans, memory);
  }

  /** Remembers `value`, which has this many characters. */
  remember(key: string, value: object, characters: number): void {
    this.memory.set(key, value, weightOf(1, key.length + characters));
  }

  query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return this.sql.query<Row>(sql, params);
  }
}

/**
 * A moment at which the same is public as at `nowUtc`. A statement that asks for what is public by it, not by the time of
 * day, is the same for all requests, and can be recalled.
 */
export function cacheMoment(sql: Sql, nowUtc: UtcTime): UtcTime {
  return sql instanceof ReadCache ? sql.memory.since : nowUtc;
}

/** The rows of a small answer, remembered by the statement. Transactions see what is not committed and ask always. */
export async function cachedQuery<Row extends object>(
  sql: Sql,
  statement: string,
  params: readonly SqlValue[],
): Promise<readonly Row[]> {
  if (!(sql instanceof ReadCache)) return sql.query<Row>(statement, params);
  const key = `${statement} ${JSON.stringify(params)}`;
  const known = sql.memory.get(key) as readonly Row[] | undefined;
  if (known !== undefined) return known;
  const rows = await sql.query<Row>(statement, params);
  // Statements may name a thousand ids: their characters count, too.
  const characters = rows.reduce((sum, row) => sum + charactersOf(row), key.length);
  sql.memory.set(key, rows, weightOf(1 + rows.length, characters));
  return rows;
}

/** A value made of several statements, remembered under `key` unless it is undefined. */
export async function cachedValue<Value extends string | readonly number[]>(
  sql: ReadCache,
  key: string,
  load: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const known = sql.memory.get(key) as Value | undefined;
  if (known !== undefined) return known;
  const value = await load();
  if (value !== undefined) sql.memory.set(key, value, 1 + Math.floor(value.length / NUMBERS_A_UNIT));
  return value;
}

/**
 * The records of these ids, by id and in the order of `ids`; `load` reads those that are not remembered under `name`, which
 * is the table of records that are its rows. An id without a record is remembered, too.
 */
export async function cachedRecords<Value extends object>(
  sql: Sql,
  name: string,
  ids: readonly number[],
  load: (sql: Sql, ids: readonly number[]) => Promise<readonly (Value & { readonly id: number })[]>,
): Promise<Map<number, Value>> {
  const wanted = [...new Set(ids)];
  const found = new Map(wanted.map((id) => [id, known(sql, name, id) as Value | null | undefined]));
  const missing = wanted.filter((id) => found.get(id) === undefined);
  const loaded = missing.length === 0 ? [] : await load(sql instanceof ReadCache ? sql.sql : sql, missing);
  for (const record of loaded) found.set(record.id, record);
  if (sql instanceof ReadCache) {
    for (const id of missing) {
      const record = found.get(id) ?? null;
      sql.memory.set(`${name} ${id}`, record, weightOf(1, charactersOf(record ?? {})));
    }
  }
  return new Map([...found].filter((entry): entry is [number, Value] => entry[1] !== undefined && entry[1] !== null));
}

function known(sql: Sql, name: string, id: number): unknown {
  if (sql instanceof Transaction) return sql.heldRow(name, id);
  return sql instanceof ReadCache ? sql.memory.get(`${name} ${id}`) : undefined;
}

function weightOf(rows: number, characters: number): number {
  return rows + Math.floor(characters / CHARACTERS_A_UNIT);
}
