/** The path and query of a request target; of `http://user:word@host/path` only what follows the host. */
export function originForm(target: string): string {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return local.startsWith('/') ? local : `/${local}`;
}

/**
 * Percent-encodes what an address may not hold as it is: `#`, which would end the path, and bytes beyond ASCII, which Node
 * hands out as one character each; so UTF-8 that was sent unescaped is read as UTF-8 all the same.
 */
export function escapeBytes(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  if (!/[\x00-\x20#\x7f-\xff]/.test(text)) return text;
  return percentEncoded(Buffer.from(text, 'latin1'), (byte) => byte <= 0x20 || byte === HASH || byte >= 0x7f).toString(
    'latin1',
  );
}

const HASH = 0x23;
const PERCENT = 0x25;
const HEX = Buffer.from('0123456789ABCDEF');

/** The bytes with those percent-encoded that are `meant`. Not by a replacing function, which would take long for each. */
export function percentEncoded(bytes: Buffer, meant: (byte: number) => boolean): Buffer {
  const encoded = Buffer.allocUnsafe(3 * bytes.length);
  let length = 0;
  for (const byte of bytes) {
    if (meant(byte)) {
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
