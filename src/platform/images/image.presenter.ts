import { fileExtension } from '../../kernel/file-extension.js';
import type { ImageRow } from './image.entity.js';
import type { ImageResponse } from './image.response.js';

/** The `image` of a record; unknown members are absent (contract section 8, "Image"). */
export function presentImage(row: ImageRow): ImageResponse {
  return {
    url: row.url,
    id: row.id,
    extension: fileExtension(row.url),
    ...(row.width !== null && { width: row.width }),
    ...(row.height !== null && { height: row.height }),
    ...(row.filesize !== null && { filesize: row.filesize }),
  };
}
