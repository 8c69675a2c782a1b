import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchText } from '../../kernel/text/case-folding.js';
import { splitIntoBatches } from '../sql/row-batches.js';
import { dialectOf } from '../sql/engine-dialect.js';

/** The columns that a search reads, in this order. */
const SEARCHED = {
  events: ['title', 'description', 'excerpt'],
  venues: ['title', 'description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  organizers: ['title', 'description', 'phone', 'email', 'website'],
};
const HTML = ['description', 'excerpt'];

/** Rows per statement. */
const ROWS = 200;
/** Characters of HTML in memory at a time. */
const CHARACTERS = 1_000_000;
/** Attempts for a batch whose rows another instance writes. Then the start fails, and the next start continues here. */
const MOST_ATTEMPTS = 50;

interface Row {
  readonly id: number;
  readonly search_text: string;
  readonly [column: string]: string | number | null;
}

/**
 * Renews search texts, because a space replaces tags of blocks now (contract section 3, "Comparing"). Stored texts of
 * `<p>alpha</p><p>beta</p>` are "alphabeta".
 */
export class SearchTexts1795404000000 implements MigrationInterface {
  /** Each batch is a short transaction of its own, because instances of the previous version write at the same time. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    let isUsed = false;
    for (const [table, columns] of Object.entries(SEARCHED)) isUsed = (await renew(runner, table, columns)) || isUsed;
    // A new data version without a change record invalidates the search index and all caches. It comes last, even if an
    // interrupted run has renewed all texts already.
    if (isUsed) await runner.query('UPDATE data_version SET version = version + 1 WHERE id = 1');
  }

  /** Nothing to undo: the previous version finds the same with the new texts, except words that it had joined. */
  async down(): Promise<void> {}
}

/** Returns whether the table contains any HTML. */
async function renew(runner: QueryRunner, table: string, columns: readonly string[]): Promise<boolean> {
  const html = HTML.filter((column) => columns.includes(column));
  let isUsed = false;
  for await (const ids of idsWithHtml(runner, table, html)) {
    isUsed = true;
    await patiently(runner, () => renewPart(runner, table, columns, ids));
    // SQLite statements block the event loop. This pause lets the process respond to health probes.
    await others();
  }
  return isUsed;
}

/** Yields the ids of rows with HTML, in batches whose texts fit into memory. */
async function* idsWithHtml(runner: QueryRunner, table: string, html: readonly string[]): AsyncGenerator<number[]> {
  const size = html.map((column) => `length(${column})`).join(' + ');
  const isFilled = html.map((column) => `${column} <> ''`).join(' OR ');
  for (let last = 0; ;) {
    const rows = (await runner.query(
      `SELECT id, ${size} AS size FROM ${table} WHERE id > ? AND (${isFilled}) ORDER BY id LIMIT ${ROWS}`,
      [last],
    )) as { id: number; size: number | string }[];
    const parts = splitIntoBatches(rows, { sizeOf: (row) => Number(row.size), maxSize: CHARACTERS });
    for (const part of parts) yield part.map(({ id }) => id);
    if (rows.length < ROWS) return;
    last = rows.at(-1)!.id;
  }
}

async function renewPart(
  runner: QueryRunner,
  table: string,
  columns: readonly string[],
  ids: readonly number[],
): Promise<void> {
  const { forUpdate } = dialectOf(runner.connection);
  await runner.startTransaction();
  try {
    const rows = (await runner.query(
      `SELECT id, search_text, ${columns.join(', ')} FROM ${table} WHERE id IN (${ids.join(', ')}) ORDER BY id${forUpdate}`,
    )) as Row[];
    const renewed = rows
      .map((row) => ({ ...row, now: searchText(columns.map((column) => String(row[column] ?? ''))) }))
      .filter(({ search_text, now }) => search_text !== now);
    if (renewed.length > 0) await store(runner, table, renewed);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/** Updates the rows with one statement, because each statement is a round trip to a server. */
async function store(runner: QueryRunner, table: string, rows: readonly { id: number; now: string }[]): Promise<void> {
  const texts = rows.map(({ id }) => `WHEN ${id} THEN ?`).join(' ');
  const ids = rows.map(({ id }) => id).join(', ');
  await runner.query(
    `UPDATE ${table} SET search_text = CASE id ${texts} END WHERE id IN (${ids})`,
    rows.map(({ now }) => now),
  );
}

async function patiently(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  const dialect = dialectOf(runner.connection);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!dialect.isRetryable(error) || attempt === MOST_ATTEMPTS) throw error;
      await sleep(10 + Math.random() * 100);
    }
  }
}
