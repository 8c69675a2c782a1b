import { Entity, Index } from 'typeorm';
import { FlagColumn, Id, IdColumn, KeyId, KeyText, TextColumn, UtcColumn } from './columns.js';
import { INDEXES, TABLES } from './tables.js';

/** Rows that instances without these columns write count as listed, so that no reader misses a change. */
const LISTED = { default: 1 };

/** The change record: one row per change, written in the transaction of the change. */
@Entity(TABLES.changes)
@Index(INDEXES.changesSeq, ['seq'])
@Index(INDEXES.changesListed, ['listed', 'seq', 'id'])
export class ChangeRow {
  @Id() id: number;
  /** The data version of the commit. It increases in commit order, unlike ids. */
  @IdColumn() seq: number;
  /** `event.created`, `venue.trashed` … */
  @TextColumn(50) kind: string;
  @IdColumn() record_id: number;
  @IdColumn() user_id: number;
  @UtcColumn() made_utc: string;
  /** Whether an anonymous list showed the record before the commit (changes section 2). */
  @FlagColumn(LISTED) listed_before: 0 | 1;
  /** Whether an anonymous list shows the record after the commit. */
  @FlagColumn(LISTED) listed_after: 0 | 1;
  /** `listed_before` or `listed_after`: whether anonymous readers may know of the change. */
  @FlagColumn(LISTED) listed: 0 | 1;
  /** The author of the record, who may know of the change in any case. 0: none. */
  @IdColumn({ default: 0 }) owner_id: number;
}

/** One row: the number of the last commit, by which caches expire. */
@Entity(TABLES.dataVersion)
export class DataVersionRow {
  @KeyId() id: number;
  @IdColumn() version: number;
  /** 8 random hexadecimal digits. A restored database has new ones, because its version repeats. */
  @TextColumn(8, { default: '' }) epoch: string;
}

/** Rows to lock for names of records that may not exist yet (MySQL, MariaDB). */
@Entity(TABLES.nameLocks)
export class NameLockRow {
  @KeyText(100) name: string;
}
