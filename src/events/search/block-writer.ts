import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Transaction } from '../../database/connection/transaction.js';
import type { Database } from '../../database/database.js';
import type { Sql, SqlValue } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { decodePlaces, encodePlaces, hasPlaces, placeOf, withPlaces } from './event-set.js';
import type { SearchBlockRow, SearchWordRow } from './search-index.entity.js';
import type { Text } from './texts.js';
import { wordsOf } from './words.js';

/** Limits the time of a statement, which on SQLite blocks the process. */
const WORDS_PER_STATEMENT = 500;

/** Without this lock, two processes that write the same block would overwrite each other's words. */
const LOCK_NAME = 'search index';

/** Locks the search index until the end of the transaction. */
export function lockIndex(tx: Transaction): Promise<void> {
  return tx.lockName(LOCK_NAME);
}

/** The words of some events of a block. */
export class BlockWords {
  /** The places of the events, ascending, and for each word those of the events that have it. */
  readonly events: number[] = [];
  readonly places = new Map<string, number[]>();

  /** Adds texts, by ascending id. */
  add(texts: readonly Text[]): void {
    for (const { id, search_text } of texts) {
      const place = placeOf(id);
      this.events.push(place);
      for (const word of wordsOf(search_text)) {
        const places = this.places.get(word);
        if (places === undefined) this.places.set(word, [place]);
        // A text may have a word several times.
        else if (places.at(-1) !== place) places.push(place);
      }
    }
  }
}

type Block = Omit<SearchBlockRow, 'block'>;

const NOTHING = new Uint8Array(0);

/** Returns what the index knows of a block. */
export async function readBlock(sql: Sql, block: number): Promise<Block> {
  const [row] = await sql.query<Block>(`SELECT revision, events, stale FROM ${TABLES.searchBlocks} WHERE block = ?`, [
    block,
  ]);
  return row ?? { revision: 0, events: NOTHING, stale: NOTHING };
}

/**
 * Replaces all words of a block, after which no event of it is stale. Returns false, and changes nothing, if the block has
 * been written since `revision`: the words may be older than those that were added.
 */
export function replaceBlock(
  database: Database,
  block: number,
  { words: { events, places }, revision }: { readonly words: BlockWords; readonly revision: number },
  further: (tx: Transaction) => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    await lockIndex(tx);
    if ((await readBlock(tx, block)).revision !== revision) return false;
    await deleteWords(tx, block);
    await insertWords(tx, block, [...places]);
    await writeBlock(tx, block, { revision: revision + 1, events: encodePlaces(events), stale: NOTHING });
    await further(tx);
    return true;
  });
}

/**
 * Adds words of changed events to a block. Keeps their former words, which nobody knows any more: these events are stale from
 * now on. Returns the number of stale events of the block.
 */
export function addToBlock(database: Database, block: number, { events, places }: BlockWords): Promise<number> {
  return database.inTransaction(async (tx) => {
    await lockIndex(tx);
    const before = await readBlock(tx, block);
    const known = decodePlaces(before.events);
    const wereKnown = new Set(known);
    const stale = withPlaces(
      decodePlaces(before.stale),
      events.filter((place) => wereKnown.has(place)),
    );
    const added = [...places];
    for (let from = 0; from < added.length; from += WORDS_PER_STATEMENT) {
      await addWords(tx, block, added.slice(from, from + WORDS_PER_STATEMENT));
    }
    await writeBlock(tx, block, {
      revision: before.revision + 1,
      events: encodePlaces(withPlaces(known, events)),
      stale: encodePlaces(stale),
    });
    return stale.length;
  });
}

type Entry = readonly [word: string, places: readonly number[]];

/** Writes only the words that the index does not yet know of all these events: an update changes few words of a text. */
async function addWords(tx: Transaction, block: number, added: readonly Entry[]): Promise<void> {
  const rows = await tx.query<Pick<SearchWordRow, 'word' | 'events'>>(
    ...ofWords(
      'SELECT word, events',
      block,
      added.map(([word]) => word),
    ),
  );
  const stored = new Map(rows.map(({ word, events }) => [word, events]));
  const changed = added.filter(([word, places]) => !hasPlaces(stored.get(word) ?? NOTHING, places));
  const replaced = changed.map(([word]) => word).filter((word) => stored.has(word));
  if (replaced.length > 0) await tx.execute(...ofWords('DELETE', block, replaced));
  await insertWords(
    tx,
    block,
    changed.map(([word, places]) => [word, withPlaces(decodePlaces(stored.get(word) ?? NOTHING), places)]),
  );
}

/** Returns a statement for some words of a block, with its parameters. */
function ofWords(verb: string, block: number, words: readonly string[]): [sql: string, params: readonly SqlValue[]] {
  const { sql, params } = isOneOf('word', words);
  return [`${verb} FROM ${TABLES.searchWords} WHERE block = ? AND ${sql}`, [block, ...params]];
}

async function deleteWords(tx: Transaction, block: number): Promise<void> {
  for (;;) {
    const rows = await tx.query<Pick<SearchWordRow, 'word'>>(
      `SELECT word FROM ${TABLES.searchWords} WHERE block = ? ORDER BY word LIMIT ${WORDS_PER_STATEMENT}`,
      [block],
    );
    if (rows.length === 0) return;
    await tx.execute(
      ...ofWords(
        'DELETE',
        block,
        rows.map(({ word }) => word),
      ),
    );
    await yieldToRequests();
  }
}

async function insertWords(tx: Transaction, block: number, entries: readonly Entry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += WORDS_PER_STATEMENT) {
    const some = entries.slice(from, from + WORDS_PER_STATEMENT);
    await tx.insertMany(
      TABLES.searchWords,
      some.map(([word, places]) => ({ word, block, events: encodePlaces(places) })),
    );
    await yieldToRequests();
  }
}

async function writeBlock(tx: Transaction, block: number, { revision, events, stale }: Block): Promise<void> {
  await tx.execute(`DELETE FROM ${TABLES.searchBlocks} WHERE block = ?`, [block]);
  await tx.insertMany(TABLES.searchBlocks, [{ block, revision, events, stale }]);
}
