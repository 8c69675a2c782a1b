import { Entity } from 'typeorm';
import { KeyId, TextColumn, UtcColumn } from './columns.js';
import { TABLES } from './tables.js';

/** One row: the identity of the database. */
@Entity(TABLES.site)
export class SiteRow {
  @KeyId() id: number;
  /** 12 random hexadecimal digits, made with the table. No two installations share them (contract section 1). */
  @TextColumn(12) instance: string;
  /** Changes made an hour before this time, or earlier, may be missing in the change record. null: none is missing. */
  @UtcColumn({ nullable: true }) purged_before_utc: string | null;
}
