import { Entity, Index } from 'typeorm';
import { Id, IdColumn, TextColumn, UtcColumn } from '../../database/sql/columns.js';
import { TABLES } from '../../database/sql/tables.js';

@Entity(TABLES.images)
@Index('ux_images_url', ['url_hash'], { unique: true })
export class ImageRow {
  @Id() id: number;
  @TextColumn(2000) url: string;
  /** SHA-256 of the URL in hexadecimal, for the unique index. */
  @TextColumn(64) url_hash: string;
  @IdColumn({ nullable: true }) width: number | null;
  @IdColumn({ nullable: true }) height: number | null;
  @IdColumn({ nullable: true }) filesize: number | null;
  @UtcColumn() created_utc: string;
}
