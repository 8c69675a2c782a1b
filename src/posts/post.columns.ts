import { IMAGE_COLUMNS, type ImageColumns } from '../platform/images/image.columns.js';
import type { PostRow } from './post.entity.js';

/** The row of a response: without the columns for sorting and searching, with the columns of its image. */
export type Shown<Row extends PostRow> = Omit<Row, 'title_key' | 'search_text' | 'image_id'> & ImageColumns;

const COLUMNS = [
  'id',
  'slug',
  'restore_slug',
  'title',
  'description',
  'status',
  'trashed_from',
  'public_from',
  'author_id',
  'date_utc',
  'modified_utc',
  'revision',
  'image_id',
] as const satisfies readonly (keyof PostRow)[];

/** Returns the columns to select, with those of the joined image. `own`: columns of this kind only. */
export function shownColumns(alias: string, own: readonly string[]): string[] {
  const columns = [...new Set([...COLUMNS, ...own])];
  return [...columns.map((column) => `${alias}.${column}`), ...IMAGE_COLUMNS];
}
