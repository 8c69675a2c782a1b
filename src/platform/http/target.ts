/** The path and query of a request target; of `http://user:word@host/path` only what follows the host. */
export function originForm(target: string): string {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return local.startsWith('/') ? local : `/${local}`;
}

/**
 * Percent-encodes what an address or a form may not hold as it is: `#`, which would end the path, and bytes beyond ASCII,
 * which Node hands out as one character each; so UTF-8 that was sent unescaped is read as UTF-8 all the same.
 */
export function escapeBytes(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  return text.replace(/[\x00-\x20#\x7f-\xff]/g, (byte) => `%${hex(byte)}`);
}

function hex(byte: string): string {
  return byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}
