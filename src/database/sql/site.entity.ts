import { Entity } from 'typeorm';
import { KeyId, TextColumn } from './columns.js';
import { TABLES } from './tables.js';

/** One row: the identity of the database. */
@Entity(TABLES.site)
export class SiteRow {
  @KeyId() id: number;
  /** 12 random hexadecimal digits, made with the table. No two installations share them (contract section 1). */
  @TextColumn(12) instance: string;
}
