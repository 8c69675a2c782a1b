import { Entity } from 'typeorm';
import { BytesColumn, IdColumn, KeyId } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';
import { SLICE_BYTES } from './grams.js';

/** One row once the index is complete: which commits it knows. */
@Entity(TABLES.searchIndex)
export class SearchIndexRow {
  @KeyId() id: number;
  /** The events of all changes up to this `seq` of the change record are in the slices as they were then. */
  @IdColumn() seq: number;
}

/** Which events of a block of ids have a gram in their `search_text`, or had it once. No row: none. */
@Entity(TABLES.searchSlices)
export class SearchSliceRow {
  @KeyId() block: number;
  @KeyId() gram: number;
  /** A bit for each id of the block. */
  @BytesColumn(SLICE_BYTES) events: Uint8Array;
}
