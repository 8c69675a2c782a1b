import { Entity, Index } from 'typeorm';
import { BytesColumn, IdColumn, KeyId, KeyText } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';
import { MAX_STORED_BYTES } from './event-set.js';
import { MAX_WORD_LENGTH } from './words.js';

/** The progress of the search index. No row: there is none. */
@Entity(TABLES.searchIndex)
export class SearchIndexRow {
  @KeyId() id: number;
  /** The number of the last indexed commit, a `seq` of the change record. */
  @IdColumn() seq: number;
  /** The next block to build. null: all are built, and searches use the index. */
  @IdColumn({ nullable: true }) next_block: number | null;
}

/** The events of a block of ids that have, or while they are stale had, a word in their `search_text`. No row: none. */
@Entity(TABLES.searchWords)
@Index('ix_search_words_block', ['block', 'word'])
export class SearchWordRow {
  @KeyText(MAX_WORD_LENGTH) word: string;
  @KeyId() block: number;
  @BytesColumn(MAX_STORED_BYTES) events: Uint8Array;
}

/** What the search index knows of a block of ids. */
@Entity(TABLES.searchBlocks)
export class SearchBlockRow {
  @KeyId() block: number;
  /** The number of writes of the block. */
  @IdColumn() revision: number;
  /** The events whose words are stored. */
  @BytesColumn(MAX_STORED_BYTES) events: Uint8Array;
  /** Those whose former words are stored, too, because their text has changed since. Searches compare their texts. */
  @BytesColumn(MAX_STORED_BYTES) stale: Uint8Array;
}
