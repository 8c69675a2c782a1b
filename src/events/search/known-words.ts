import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type Followed, Follower } from '../../database/cache/follower.js';
import type { DatabaseState } from '../../database/cache/read-at-version.js';
import { type Change, changedIds } from '../../database/cache/recent-changes.js';
import type { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { EVENT } from '../event.kind.js';
import { Dictionary } from './dictionary.js';
import { areUnclear, readIndexState } from './index-state.js';
import { textsOf } from './texts.js';
import { wordsOf } from './words.js';

/** Limits the time of a statement, and its text: even the longest words stay below `group_concat_max_len`. */
const WORDS_PER_QUERY = 4_000;
/** From this number of changes on, reading all words anew is cheaper than reading the changed texts. */
const MAX_CHANGES = 20_000;

/**
 * The words of the search index in the memory of this process, and of all texts that have changed since. It follows the
 * change record, so that no word is missing when the index takes a change over.
 */
export class KnownWords implements Followed {
  private dictionary: Dictionary | undefined;
  private readonly follower: Follower;
  readonly maxChanges = MAX_CHANGES;

  constructor(database: Database) {
    this.follower = new Follower(database, database.scans, this);
  }

  /** Returns the words as of a state of the database or later. undefined: the index is not complete. */
  async at(state: DatabaseState): Promise<Dictionary | undefined> {
    await this.follower.reach(state);
    return this.dictionary;
  }

  async load(sql: Sql, { version }: DatabaseState): Promise<void> {
    this.dictionary = undefined;
    const dictionary = new Dictionary();
    // Reads the changes before the words. Words that the index takes over in between are then read twice, not left out.
    const { changed } = await readIndexState(sql);
    if (changed === undefined) return;
    for await (const words of storedWords(sql)) dictionary.add(words);
    await addTexts(sql, dictionary, changed, version);
    this.dictionary = dictionary;
  }

  async apply(sql: Sql, changes: readonly Change[], { version }: DatabaseState): Promise<boolean> {
    if (this.dictionary === undefined || areUnclear(changes)) return false;
    await addTexts(sql, this.dictionary, changedIds(changes, EVENT.noun), version);
    return true;
  }
}

async function addTexts(sql: Sql, dictionary: Dictionary, ids: readonly number[], version: number): Promise<void> {
  for await (const texts of textsOf(sql, ids, version)) {
    for (const { search_text } of texts) dictionary.add(wordsOf(search_text));
    await yieldToRequests();
  }
}

/** Yields the distinct words of the index, some at a time. One text of words is several times faster than a row each. */
async function* storedWords(sql: Sql): AsyncGenerator<readonly string[]> {
  for (let last = ''; ; await yieldToRequests()) {
    const next = `SELECT DISTINCT word FROM ${TABLES.searchWords} WHERE word > ? ORDER BY word LIMIT ${WORDS_PER_QUERY}`;
    // Both engines put a comma between them, which no word contains.
    const [row] = await sql.query<{ words: string | null; last: string | null }>(
      `SELECT group_concat(w.word) AS words, max(w.word) AS last FROM (${next}) w`,
      [last],
    );
    if (typeof row?.words !== 'string' || row.last === null) return;
    yield row.words.split(',');
    last = row.last;
  }
}
