import type { ImageColumns } from './image.columns.js';
import type { ImageResponse } from './image.response.js';

/**
 * Returns the `image` of a record without unknown members, or undefined if it has none (contract section 8, "Image").
 */
export function presentImage(row: ImageColumns): ImageResponse | undefined {
  const { image_id: id, image_url: url, image_width: width, image_height: height, image_filesize: filesize } = row;
  if (id === null || url === null) return undefined;
  const extension = fileExtension(url);
  const type = imageType(extension);
  const measures = { ...(width !== null && { width }), ...(height !== null && { height }) };
  // All sizes are the same file, because clients read `image.sizes.medium.url` without a check.
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

/** Returns the `extension` of an image in lower case, or "" if there is none (contract section 8, "Image"). */
export function fileExtension(url: string): string {
  const name = fileName(url);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1) : '';
  return /^[\p{L}\p{N}]+$/u.test(extension) ? extension.toLowerCase() : '';
}

function fileName(url: string): string {
  const [withoutQuery = ''] = url.split(/[?#]/u, 1);
  const path = withoutQuery.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/iu, '');
  return decoded(path.slice(path.lastIndexOf('/') + 1));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const TYPES = new Map([
  ['apng', 'image/apng'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['jfif', 'image/jpeg'],
  ['jpe', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['jxl', 'image/jxl'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['webp', 'image/webp'],
]);

/** Returns the media type of an `extension`, or undefined if it is unknown (contract section 8, "Image"). */
export function imageType(extension: string): string | undefined {
  return TYPES.get(extension);
}
