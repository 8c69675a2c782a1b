/** Returns path and query of a request target; of `http://user:word@host/path` the part after the host. */
export function originForm(target: string): string {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return local.startsWith('/') ? local : `/${local}`;
}

/**
 * Percent-encodes characters that a URL must not contain: `#`, which would end the path, control characters, and
 * non-ASCII bytes, which Node decodes as Latin-1. So unescaped UTF-8 is accepted.
 */
export function escapeBytes(text: string): string {
  // eslint-disable-next-line no-control-regex -- tests for control characters
  if (!/[\x00-\x20#\x7f-\xff]/.test(text)) return text;
  return percentEncoded(Buffer.from(text, 'latin1'), (byte) => byte <= 0x20 || byte === HASH || byte >= 0x7f).toString(
    'latin1',
  );
}

const HASH = 0x23;
const PERCENT = 0x25;
const HEX = Buffer.from('0123456789ABCDEF');

/** Percent-encodes the bytes that match. A loop, because `replace` with a function is slow for many bytes. */
export function percentEncoded(bytes: Buffer, matches: (byte: number) => boolean): Buffer {
  const encoded = Buffer.allocUnsafe(3 * bytes.length);
  let length = 0;
  for (const byte of bytes) {
    if (matches(byte)) {
      encoded[length] = PERCENT;
      encoded[length + 1] = HEX[byte >> 4]!;
      encoded[length + 2] = HEX[byte & 15]!;
      length += 3;
    } else {
      encoded[length] = byte;
      length += 1;
    }
  }
  return encoded.subarray(0, length);
}
