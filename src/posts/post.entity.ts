import type { PostStatus } from '../kernel/post-status.js';
import { Id, IdColumn, LongTextColumn, TextColumn, UtcColumn } from '../database/sql/columns.js';

/** The columns that events, venues and organizers share. Rows contain SQL values: flags are 0 or 1, times are strings. */
export abstract class PostRow {
  @Id() id: number;
  @TextColumn(255) slug: string;
  /** The slug after a restore. null outside the trash. */
  @TextColumn(255, { nullable: true }) restore_slug: string | null;
  @TextColumn(500) title: string;
  /** The sort key of the title: case- and accent-insensitive. */
  @LongTextColumn() title_key: string;
  /** The searched fields, folded, joined by line ends. */
  @LongTextColumn() search_text: string;
  @LongTextColumn() description: string;
  @TextColumn(20) status: PostStatus;
  /** The status before the trash. null outside the trash. */
  @TextColumn(20, { nullable: true }) trashed_from: PostStatus | null;
  /** The time from which the record is public. null: never. */
  @UtcColumn({ nullable: true }) public_from: string | null;
  @IdColumn() author_id: number;
  @UtcColumn() date_utc: string;
  @UtcColumn() modified_utc: string;
  /** Increases with every change of the record. */
  @IdColumn() revision: number;
  @IdColumn({ nullable: true }) image_id: number | null;
}

export type Flag = 0 | 1;
