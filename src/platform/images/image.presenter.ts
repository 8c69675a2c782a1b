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

/** The `extension` of an image object, in lower case, "" if the file name has none: contract section 8, Image. */
export function fileExtension(url: string): string {
  const name = fileName(url);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1) : '';
  return /^[\p{L}\p{N}]+$/u.test(extension) ? extension.toLowerCase() : '';
}

function fileName(url: string): string {
  const [address = ''] = url.split(/[?#]/u, 1);
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/iu, '');
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

/** The media type that an `extension` (image.presenter.ts) stands for; undefined: nobody knows (contract section 8, Image). */
export function imageType(extension: string): string | undefined {
  return TYPES.get(extension);
}
