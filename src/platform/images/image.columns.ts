import { TABLES } from '../../database/sql/tables.js';

/** The columns of a record's image, selected together with the record. All are null without an image. */
export interface ImageColumns {
  readonly image_id: number | null;
  readonly image_url: string | null;
  readonly image_width: number | null;
  readonly image_height: number | null;
  readonly image_filesize: number | null;
}

export const NO_IMAGE: ImageColumns = {
  image_id: null,
  image_url: null,
  image_width: null,
  image_height: null,
  image_filesize: null,
};

/** Select list for `joinImage`. */
export const IMAGE_COLUMNS = [
  'i.url AS image_url',
  'i.width AS image_width',
  'i.height AS image_height',
  'i.filesize AS image_filesize',
];

/** Returns the join of the images. `alias`: the table with the column `image_id`. */
export function joinImage(alias: string): string {
  return `LEFT JOIN ${TABLES.images} i ON i.id = ${alias}.image_id`;
}
