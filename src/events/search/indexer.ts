import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { type Change, changedIds, nextChanges } from '../../database/cache/recent-changes.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { ALWAYS, type SqlCondition, isOneOf } from '../../kernel/sql-condition.js';
import { blockOf, gramsOf, idRange, mark, emptySlice, type Slice } from './grams.js';
import { readIndexState } from './candidates.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import type { SearchSliceRow } from './search-index.entity.js';

/** Limits the time between two calls of `shouldContinue`. */
const MAX_CHANGES_PER_STEP = 1_000;
/** Limits memory, because texts may be long, and the time for which their grams keep requests from running. */
const MAX_EVENTS_PER_QUERY = 50;
/** Limits the time of a statement, which on SQLite blocks the process. */
const MAX_SLICES_PER_INSERT = 500;

/** Updates the index to the last commit, or creates it. Calls `shouldContinue` between steps and stops if it is false. */
export async function indexEvents(database: Database, shouldContinue: () => boolean): Promise<void> {
  while (shouldContinue()) {
    const { seq, version, lastId } = await readIndexState(database);
    if (seq === version) return;
    const changes = seq === undefined ? undefined : await nextChanges(database, seq, version, MAX_CHANGES_PER_STEP);
    if (seq === undefined || changes === undefined) await indexAll(database, version, lastId, shouldContinue);
    else await indexChanges(database, seq, changes, shouldContinue);
  }
}

async function indexAll(
  database: Database,
  version: number,
  lastId: number,
  shouldContinue: () => boolean,
): Promise<void> {
  for (let block = 0; block <= blockOf(lastId); block += 1) {
    if (!shouldContinue()) return;
    await indexBlock(database, block, ALWAYS);
  }
  // Later changes have higher commit numbers. The next round indexes them.
  await database.inTransaction(async (tx) => {
    await tx.lockName(LOCK_NAME);
    await tx.execute(`DELETE FROM ${TABLES.searchIndex}`);
    await tx.insertMany(TABLES.searchIndex, [{ id: 1, seq: version }]);
  });
}

async function indexChanges(
  database: Database,
  seq: number,
  changes: readonly Change[],
  shouldContinue: () => boolean,
): Promise<void> {
  const ids = changedIds(changes, EVENT.noun);
  for (const block of new Set(ids.map(blockOf))) {
    if (!shouldContinue()) return;
    const inBlock = ids.filter((id) => blockOf(id) === block);
    await indexBlock(database, block, isOneOf('id', inBlock));
  }
  // `seq = ?`: another process may have indexed them in the meantime.
  await database.inTransaction((tx) =>
    tx.execute(`UPDATE ${TABLES.searchIndex} SET seq = ? WHERE id = 1 AND seq = ?`, [changes.at(-1)!.seq, seq]),
  );
}

/** Without this lock, two processes that update the same slice would overwrite each other's marks. */
const LOCK_NAME = 'search index';

/** Adds the texts of events to the slices of their block. Removes nothing, because the index may return too many ids. */
async function indexBlock(database: Database, block: number, where: SqlCondition): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.lockName(LOCK_NAME);
    const slices = await slicesOf(tx, block);
    const stored = new Set(slices.keys());
    const changed = new Set<number>();
    for await (const { id, search_text } of textsOf(tx, block, where)) {
      for (const gram of gramsOf(search_text)) {
        const slice = slices.get(gram) ?? emptySlice();
        slices.set(gram, slice);
        if (mark(slice, id)) changed.add(gram);
      }
    }
    const { sql, params } = isOneOf(
      'gram',
      [...changed].filter((gram) => stored.has(gram)),
    );
    await tx.execute(`DELETE FROM ${TABLES.searchSlices} WHERE block = ? AND ${sql}`, [block, ...params]);
    const rows = [...changed].map((gram) => ({ block, gram, events: slices.get(gram)! }));
    for (let from = 0; from < rows.length; from += MAX_SLICES_PER_INSERT) {
      await tx.insertMany(TABLES.searchSlices, rows.slice(from, from + MAX_SLICES_PER_INSERT));
      await yieldToRequests();
    }
  });
}

async function slicesOf(tx: Transaction, block: number): Promise<Map<number, Slice>> {
  const rows = await tx.query<SearchSliceRow>(`SELECT gram, events FROM ${TABLES.searchSlices} WHERE block = ?`, [
    block,
  ]);
  return new Map(rows.map(({ gram, events }) => [gram, events]));
}

/** Yields the texts of events. Lets requests run between queries, because SQLite queries block the process. */
async function* textsOf(tx: Transaction, block: number, where: SqlCondition) {
  const [from, to] = idRange(block);
  for (let next = from; ; await yieldToRequests()) {
    const events = await tx.query<Pick<EventRow, 'id' | 'search_text'>>(
      `SELECT id, search_text FROM ${TABLES.events} WHERE id >= ? AND id < ? AND ${where.sql}
       ORDER BY id LIMIT ${MAX_EVENTS_PER_QUERY}`,
      [next, to, ...where.params],
    );
    yield* events;
    if (events.length < MAX_EVENTS_PER_QUERY) return;
    next = events.at(-1)!.id + 1;
  }
}
