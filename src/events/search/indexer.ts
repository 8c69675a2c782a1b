import { setImmediate as others } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { type Change, changedIds, nextChanges } from '../../database/cache/recent-changes.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { ALWAYS, type SqlCondition, isOneOf } from '../../kernel/sql-condition.js';
import { blockOf, gramsOf, idsOf, mark, newSlice, type Slice } from './grams.js';
import { readSearchIndex } from './candidates.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import type { SearchSliceRow } from './search-index.entity.js';

const CHANGES_A_STEP = 1_000;
const EVENTS_A_STATEMENT = 200;

/** Brings the index up to the last commit, or makes it where there is none. `isWanted` is asked between the steps. */
export async function indexEvents(database: Database, isWanted: () => boolean): Promise<void> {
  while (isWanted()) {
    const { seq, version, lastId } = await readSearchIndex(database);
    if (seq === version) return;
    const changes = seq === undefined ? undefined : await nextChanges(database, seq, version, CHANGES_A_STEP);
    if (seq === undefined || changes === undefined) await indexAll(database, version, lastId, isWanted);
    else await indexChanges(database, seq, changes, isWanted);
  }
}

async function indexAll(database: Database, version: number, lastId: number, isWanted: () => boolean): Promise<void> {
  for (let block = 0; block <= blockOf(lastId); block += 1) {
    if (!isWanted()) return;
    await indexBlock(database, block, ALWAYS);
  }
  // Events made meanwhile are in commits after that version.
  await database.inTransaction(async (tx) => {
    await tx.lockName(LOCK);
    await tx.execute(`DELETE FROM ${TABLES.searchIndex}`);
    await tx.insertMany(TABLES.searchIndex, [{ id: 1, seq: version }]);
  });
}

async function indexChanges(
  database: Database,
  seq: number,
  changes: readonly Change[],
  isWanted: () => boolean,
): Promise<void> {
  const ids = changedIds(changes, EVENT.noun);
  for (const block of new Set(ids.map(blockOf))) {
    if (!isWanted()) return;
    const inBlock = ids.filter((id) => blockOf(id) === block);
    await indexBlock(database, block, isOneOf('id', inBlock));
  }
  // Unless another process has been quicker.
  await database.inTransaction((tx) =>
    tx.execute(`UPDATE ${TABLES.searchIndex} SET seq = ? WHERE id = 1 AND seq = ?`, [changes.at(-1)!.seq, seq]),
  );
}

/** Two processes that add to one slice would each lose what the other has added. */
const LOCK = 'search index';

/** Adds the texts of some events to the slices of their block. Nothing is taken away: an index may find too much. */
async function indexBlock(database: Database, block: number, where: SqlCondition): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.lockName(LOCK);
    const slices = await slicesOf(tx, block);
    const known = new Set(slices.keys());
    const changed = new Set<number>();
    for await (const { id, search_text } of textsOf(tx, block, where)) {
      for (const gram of gramsOf(search_text)) {
        const slice = slices.get(gram) ?? newSlice();
        slices.set(gram, slice);
        if (mark(slice, id)) changed.add(gram);
      }
    }
    const { sql, params } = isOneOf(
      'gram',
      [...changed].filter((gram) => known.has(gram)),
    );
    await tx.execute(`DELETE FROM ${TABLES.searchSlices} WHERE block = ? AND ${sql}`, [block, ...params]);
    const rows = [...changed].map((gram) => ({ block, gram, events: slices.get(gram)! }));
    await tx.insertMany(TABLES.searchSlices, rows);
  });
}

async function slicesOf(tx: Transaction, block: number): Promise<Map<number, Slice>> {
  const rows = await tx.query<SearchSliceRow>(`SELECT gram, events FROM ${TABLES.searchSlices} WHERE block = ?`, [
    block,
  ]);
  return new Map(rows.map(({ gram, events }) => [gram, events]));
}

/** Some at a time: texts have no bound, and others must get their turn. */
async function* textsOf(tx: Transaction, block: number, where: SqlCondition) {
  const [from, to] = idsOf(block);
  for (let next = from; ; await others()) {
    const events = await tx.query<Pick<EventRow, 'id' | 'search_text'>>(
      `SELECT id, search_text FROM ${TABLES.events} WHERE id >= ? AND id < ? AND ${where.sql}
       ORDER BY id LIMIT ${EVENTS_A_STATEMENT}`,
      [next, to, ...where.params],
    );
    yield* events;
    if (events.length < EVENTS_A_STATEMENT) return;
    next = events.at(-1)!.id + 1;
  }
}
