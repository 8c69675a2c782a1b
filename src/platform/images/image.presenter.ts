import { fileExtension } from '../../kernel/file-extension.js';
import type { ImageColumns } from './image.columns.js';
import type { ImageResponse } from './image.response.js';

/** The `image` of a record; unknown members are absent (contract section 8, "Image"). Undefined: it has none. */
export function presentImage(row: ImageColumns): ImageResponse | undefined {
  const { image_id: id, image_url: url, image_width: width, image_height: height, image_filesize: filesize } = row;
  if (id === null || url === null) return undefined;
  return {
    url,
    id,
    extension: fileExtension(url),
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(filesize !== null && { filesize }),
  };
}
