import { setTimeout as sleep } from 'node:timers/promises';
import { changedIds, nextChanges } from '../../database/cache/recent-changes.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { Database } from '../../database/database.js';
import { TABLES } from '../../database/sql/tables.js';
import { EVENT } from '../event.kind.js';
import { addToBlock, BlockWords, lockIndex, readBlock, replaceBlock } from './block-writer.js';
import { blockOf } from './event-set.js';
import { areUnclear, type IndexProgress, readProgress } from './index-state.js';
import { type Text, textsOf, textsOfBlock } from './texts.js';

/** Limits the time between two calls of `shouldContinue`. */
const MAX_CHANGES_PER_STEP = 1_000;
/** A quarter of a block. With more stale events, searches would compare many texts, and all words are read anew. */
const MAX_STALE = 4_096;
/** After so many events the index rests for as long as it has worked, so that requests and other writes have half of the time. */
const EVENTS_PER_TURN = 2_048;

/** Updates the index to the last commit, or builds it. Calls `shouldContinue` between steps and stops if it is false. */
export async function updateIndex(database: Database, shouldContinue: () => boolean): Promise<void> {
  const work = new Indexing(database, shouldContinue);
  let isBehind = true;
  while (isBehind && shouldContinue()) isBehind = await work.step();
}

class Indexing {
  private eventsInTurn = 0;
  private turnBegan = performance.now();

  constructor(
    private readonly database: Database,
    private readonly shouldContinue: () => boolean,
  ) {}

  /** Returns whether there may be more to do. */
  async step(): Promise<boolean> {
    const progress = await readProgress(this.database);
    const { seq, nextBlock, version } = progress;
    if (seq === undefined) await this.begin(progress);
    else if (nextBlock !== undefined) await this.build(nextBlock, progress);
    else if (seq === version) return false;
    else await this.takeOver(seq, progress);
    return true;
  }

  /** Begins a new index. Until all blocks are built, searches do not use it. */
  private async begin({ seq, version }: IndexProgress): Promise<void> {
    await this.database.inTransaction(async (tx) => {
      await lockIndex(tx);
      const now = await readProgress(tx);
      // Another process has begun it in the meantime.
      if (now.seq !== seq || now.nextBlock !== undefined) return;
      await tx.execute(`DELETE FROM ${TABLES.searchIndex}`);
      // Later changes have higher commit numbers, and are taken over when all blocks are built.
      await tx.insertMany(TABLES.searchIndex, [{ id: 1, seq: version, next_block: 0 }]);
    });
  }

  private async build(block: number, { seq, lastId, version }: IndexProgress): Promise<void> {
    const next = block < blockOf(lastId) ? block + 1 : null;
    // Changes nothing if another process has begun the index again.
    await this.rebuild(block, version, (tx) =>
      tx.execute(`UPDATE ${TABLES.searchIndex} SET next_block = ? WHERE id = 1 AND next_block = ? AND seq = ?`, [
        next,
        block,
        seq!,
      ]),
    );
  }

  private async takeOver(seq: number, progress: IndexProgress): Promise<void> {
    const { version } = progress;
    const changes = await nextChanges(this.database, seq, version, MAX_CHANGES_PER_STEP);
    if (changes === undefined || areUnclear(changes)) return this.begin(progress);
    const ids = changedIds(changes, EVENT.noun).sort((a, b) => a - b);
    const worn: number[] = [];
    for (const block of new Set(ids.map(blockOf))) {
      if (!this.shouldContinue()) return;
      const inBlock = ids.filter((id) => blockOf(id) === block);
      const words = await this.read(textsOf(this.database.scans, inBlock, version));
      if ((await addToBlock(this.database, block, words)) > MAX_STALE) worn.push(block);
    }
    // `seq = ?`: another process may have taken them over in the meantime, or begun the index again.
    await this.database.inTransaction((tx) =>
      tx.execute(`UPDATE ${TABLES.searchIndex} SET seq = ? WHERE id = 1 AND next_block IS NULL AND seq = ?`, [
        changes.at(-1)!.seq,
        seq,
      ]),
    );
    for (const block of worn) await this.rebuild(block, version);
  }

  /** Does nothing if another process writes the block meanwhile. */
  private async rebuild(
    block: number,
    version: number,
    further?: (tx: Transaction) => Promise<unknown>,
  ): Promise<void> {
    const { revision } = await readBlock(this.database, block);
    const words = await this.read(textsOfBlock(this.database.scans, block, version));
    if (this.shouldContinue()) await replaceBlock(this.database, block, { words, revision }, further);
  }

  private async read(texts: AsyncIterable<readonly Text[]>): Promise<BlockWords> {
    const words = new BlockWords();
    for await (const some of texts) {
      if (!this.shouldContinue()) break;
      words.add(some);
      await this.rest(some.length);
    }
    return words;
  }

  private async rest(events: number): Promise<void> {
    this.eventsInTurn += events;
    if (this.eventsInTurn < EVENTS_PER_TURN) return;
    await sleep(performance.now() - this.turnBegan);
    this.eventsInTurn = 0;
    this.turnBegan = performance.now();
  }
}
