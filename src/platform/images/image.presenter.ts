import { fileExtension } from '../../kernel/file-extension.js';
import { imageType } from '../../kernel/image-type.js';
import type { ImageColumns } from './image.columns.js';
import type { ImageResponse } from './image.response.js';

/** The `image` of a record; unknown members are absent (contract section 8, "Image"). Undefined: it has none. */
export function presentImage(row: ImageColumns): ImageResponse | undefined {
  const { image_id: id, image_url: url, image_width: width, image_height: height, image_filesize: filesize } = row;
  if (id === null || url === null) return undefined;
  const extension = fileExtension(url);
  const type = imageType(extension);
  const measures = { ...(width !== null && { width }), ...(height !== null && { height }) };
  // There is one file, but clients read `image.sizes.medium.url` without asking whether it is there.
  const size = { ...measures, ...(type !== undefined && { 'mime-type': type }), url };
  return {
    url,
    id,
    extension,
    ...measures,
    ...(filesize !== null && { filesize }),
    sizes: { thumbnail: size, medium: size, medium_large: size, large: size },
  };
}
