import { IMAGE_COLUMNS, type ImageColumns } from '../platform/images/image.columns.js';
import type { PostRow } from './post.entity.js';

/** A record as it is read to be shown: keys made for sorting and searching stay in the database, its image comes along. */
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

/** What is selected of records and, where `joinImage` joins, of their images; `own`: the columns that others do not have. */
export function shownColumns(alias: string, own: readonly string[]): string[] {
  const columns = [...new Set([...COLUMNS, ...own])];
  return [...columns.map((column) => `${alias}.${column}`), ...IMAGE_COLUMNS];
}
