import { TABLES } from '../../database/sql/tables.js';

/** What a record is shown with of its image, read together with it; without an image all of it is null. */
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

/** To be selected where `joinImage` joins. */
export const IMAGE_COLUMNS = [
  'i.url AS image_url',
  'i.width AS image_width',
  'i.height AS image_height',
  'i.filesize AS image_filesize',
];

/** `alias`: of the table whose rows have an `image_id`. */
export function joinImage(alias: string): string {
  return `LEFT JOIN ${TABLES.images} i ON i.id = ${alias}.image_id`;
}
