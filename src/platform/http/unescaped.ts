const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;

/**
 * The text of a value of a query or a form, given with one character a byte: `a+b`, `%C3%A9`, and UTF-8 as it is.
 * Undefined where it is not UTF-8, or a `%` begins no escape. One pass, since its cost is anybody's to cause.
 */
export function unescaped(text: string): string | undefined {
  if (!/[%+\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let byte = text.charCodeAt(at);
    if (byte === PLUS) byte = BLANK;
    if (byte === PERCENT) {
      byte = hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));
      if (Number.isNaN(byte)) return undefined;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return decoded(bytes.subarray(0, length));
}

/** The value of a hexadecimal digit by its character; NaN: it is none, or there is no character. */
function hexDigit(character: number): number {
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const letter = character | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
