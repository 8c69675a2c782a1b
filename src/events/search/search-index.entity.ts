import { Entity } from 'typeorm';
import { BytesColumn, IdColumn, KeyId } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';
import { SLICE_BYTES } from './grams.js';

/** The progress of the search index. The table has one row once the index is complete. */
@Entity(TABLES.searchIndex)
export class SearchIndexRow {
  @KeyId() id: number;
  /** The number of the last indexed commit, a `seq` of the change record. */
  @IdColumn() seq: number;
}

/** The events of a block of ids that have or once had a gram in their `search_text`. No row: none. */
@Entity(TABLES.searchSlices)
export class SearchSliceRow {
  @KeyId() block: number;
  @KeyId() gram: number;
  /** A bitmap with one bit for each id of the block. */
  @BytesColumn(SLICE_BYTES) events: Uint8Array;
}
