import { Entity, Index } from 'typeorm';
import { Id, IdColumn, KeyId, KeyText, TextColumn, UtcColumn } from './columns.js';
import { TABLES } from './tables.js';

/** The change record: one row per change, written in the transaction of the change. */
@Entity(TABLES.changes)
@Index('ix_changes_seq', ['seq'])
export class ChangeRow {
  @Id() id: number;
  /** The data version of the commit. It increases in commit order, unlike ids. */
  @IdColumn() seq: number;
  /** `event.created`, `venue.trashed` … */
  @TextColumn(50) kind: string;
  @IdColumn() record_id: number;
  @IdColumn() user_id: number;
  @UtcColumn() made_utc: string;
}

/** One row: the number of the last commit, by which caches expire. */
@Entity(TABLES.dataVersion)
export class DataVersionRow {
  @KeyId() id: number;
  @IdColumn() version: number;
}

/** Rows to lock for names of records that may not exist yet (MySQL, MariaDB). */
@Entity(TABLES.nameLocks)
export class NameLockRow {
  @KeyText(100) name: string;
}
