import { Entity } from 'typeorm';
import { KeyId, TextColumn } from './columns.js';
import { TABLES } from './tables.js';

/** One row: what the database knows of itself. */
@Entity(TABLES.site)
export class SiteRow {
  @KeyId() id: number;
  /** 12 hexadecimal digits, made with the table and never again: no two installations share them (contract section 1). */
  @TextColumn(12) instance: string;
}
