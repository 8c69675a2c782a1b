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
