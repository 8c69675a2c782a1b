import qs from 'qs';

/** More parameters of a query make its address too long; more members of a form make a body too large (contract 2.1). */
const MOST_PARAMETERS = 1000;

/** The values of a key that was sent more than once without brackets: a list, or the last one counts. */
export class Repeated {
  constructor(readonly values: readonly unknown[]) {}
}

/** Stands for a value that is not valid UTF-8. */
export const NOT_UTF8 = Symbol('not utf-8');

export class TooManyParameters extends Error {}

/**
 * Reads a query or a form body, given with one character a byte: `a=1&a=2`, `a[]=1`, `venue[0][city]=Lyon`.
 * qs reads the bracketed keys; plain ones are read here, since qs does not tell `page=9&page=1` from `page[]=9`.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const plain = new Map<string, unknown[]>();
  const bracketed: string[] = [];
  for (const piece of piecesOf(text)) {
    const at = piece.indexOf('=');
    const key = decode(at < 0 ? piece : piece.slice(0, at));
    if (typeof key !== 'string') continue;
    if (key.includes('[')) bracketed.push(piece);
    else plain.set(key, [...(plain.get(key) ?? []), decode(at < 0 ? '' : piece.slice(at + 1))]);
  }
  const values = nested(bracketed);
  for (const [key, sent] of plain) values[key] = united(sent, values[key]);
  return values;
}

/** What stands between the `&`; of millions of them no pieces are made. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0, start = 0; at <= text.length; at += 1) {
    if (at < text.length && text.charCodeAt(at) !== AMPERSAND) continue;
    if (at > start) pieces.push(text.slice(start, at));
    if (pieces.length > MOST_PARAMETERS) throw new TooManyParameters();
    start = at + 1;
  }
  return pieces;
}

const AMPERSAND = 0x26;

/** A key that was sent both with and without brackets is a list: nothing of it may get lost. */
function united(sent: readonly unknown[], bracketed: unknown): unknown {
  if (bracketed !== undefined) return sent.concat(bracketed);
  return sent.length === 1 ? sent[0] : new Repeated(sent);
}

function nested(pieces: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (pieces.length === 0) return values;
  const parsed = qs.parse(pieces.join('&'), {
    depth: 5,
    arrayLimit: MOST_PARAMETERS,
    parameterLimit: MOST_PARAMETERS,
    decoder: decode as (text: string) => string,
  });
  return Object.assign(values, parsed);
}

function decode(text: string): string | typeof NOT_UTF8 {
  return unescaped(text) ?? NOT_UTF8;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;

/**
 * The text of a value of a query or a form, given with one character a byte: `a+b`, `%C3%A9`, and UTF-8 as it is.
 * Undefined where it is not UTF-8, or a `%` begins no escape. One pass, since its cost is anybody's to cause.
 */
function unescaped(text: string): string | undefined {
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
