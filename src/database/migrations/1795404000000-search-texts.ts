import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchText } from '../../kernel/text/case-folding.js';
import { partsWithin } from '../sql/row-batches.js';
import { dialectOf } from '../sql/engine-dialect.js';

/** What a search looks at, in this order. */
const SEARCHED = {
  events: ['title', 'description', 'excerpt'],
  venues: ['title', 'description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  organizers: ['title', 'description', 'phone', 'email', 'website'],
};
const HTML = ['description', 'excerpt'];

/** So many rows are looked at with one statement, and so many characters of HTML are in memory at once. */
const ROWS = 200;
const CHARACTERS = 1_000_000;
/** How often a part is tried whose rows somebody else writes; then the start fails, and the next one goes on here. */
const MOST_ATTEMPTS = 50;

interface Row {
  readonly id: number;
  readonly search_text: string;
  readonly [column: string]: string | number | null;
}

/**
 * Where tags are removed for comparing, blocks are parted by a blank (contract section 3, "Comparing"): the search texts
 * of `<p>alpha</p><p>beta</p>` that are stored say "alphabeta".
 */
export class SearchTexts1795404000000 implements MigrationInterface {
  /** Instances of the version before write meanwhile: each part is a short transaction of its own. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    let isUsed = false;
    for (const [table, columns] of Object.entries(SEARCHED)) isUsed = (await renew(runner, table, columns)) || isUsed;
    // A commit that left no change record: the search index is made anew, and what is remembered is forgotten. It comes
    // last, also where an interrupted run has renewed all texts already.
    if (isUsed) await runner.query('UPDATE data_version SET version = version + 1 WHERE id = 1');
  }

  /** The version before finds with the new texts whatever it found with its own, but words that it had glued. */
  async down(): Promise<void> {}
}

/** Answers whether there was anything to look at. */
async function renew(runner: QueryRunner, table: string, columns: readonly string[]): Promise<boolean> {
  const html = HTML.filter((column) => columns.includes(column));
  let isUsed = false;
  for await (const ids of idsWithHtml(runner, table, html)) {
    isUsed = true;
    await patiently(runner, () => renewPart(runner, table, columns, ids));
    // On SQLite statements take no turns: probes are answered meanwhile.
    await others();
  }
  return isUsed;
}

/** The rows that hold HTML at all, in parts of which the texts fit into memory. */
async function* idsWithHtml(runner: QueryRunner, table: string, html: readonly string[]): AsyncGenerator<number[]> {
  const size = html.map((column) => `length(${column})`).join(' + ');
  const isFilled = html.map((column) => `${column} <> ''`).join(' OR ');
  for (let last = 0; ;) {
    const rows = (await runner.query(
      `SELECT id, ${size} AS size FROM ${table} WHERE id > ? AND (${isFilled}) ORDER BY id LIMIT ${ROWS}`,
      [last],
    )) as { id: number; size: number | string }[];
    const parts = partsWithin(rows, { sizeOf: (row) => Number(row.size), largest: CHARACTERS });
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

/** With one statement: on a server each one is a journey. */
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
