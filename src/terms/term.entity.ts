import { Entity, Index } from 'typeorm';
import { Id, IdColumn, LongTextColumn, TextColumn, UtcColumn } from '../database/sql/columns.js';
import { TABLES } from '../database/sql/tables.js';

/** Categories and tags in one table, so that no two have the same id (contract section 1). */
@Entity(TABLES.terms)
@Index('ux_terms_slug', ['taxonomy', 'slug'], { unique: true })
@Index('ix_terms_name', ['taxonomy', 'name_key'])
@Index('ix_terms_parent', ['parent'])
export class TermRow {
  @Id() id: number;
  @TextColumn(32) taxonomy: string;
  @TextColumn(255) slug: string;
  @TextColumn(200) name: string;
  /** The name in the form for comparing and sorting: case-insensitive. Normalising can triple its length. */
  @TextColumn(600) name_key: string;
  @LongTextColumn() description: string;
  /** Name and slug, folded, joined by a line end. */
  @LongTextColumn() search_text: string;
  /** 0: top level. */
  @IdColumn({ default: 0 }) parent: number;
  @UtcColumn() modified_utc: string;
  @IdColumn() revision: number;
}
