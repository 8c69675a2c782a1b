import qs from 'qs';

/** A query with more parameters is rejected with 414, a form with more with 413 (contract 2.1). */
export const MAX_PARAMETERS = 1000;

/** The values of a key repeated without brackets. Depending on the field, they are a list or the last one counts. */
export class Repeated {
  constructor(readonly values: readonly unknown[]) {}
}

/** Stands for a value that is not valid UTF-8. */
export const NOT_UTF8 = Symbol('not utf-8');

export class TooManyParameters extends Error {}

/**
 * Parses a query or a form body in Latin-1 (one character per byte): `a=1&a=2`, `a[]=1`, `venue[0][city]=Lyon`.
 * qs parses only bracketed keys, because it does not distinguish `page=9&page=1` from `page[]=9&page[]=1`.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const plain = new Map<string, unknown[]>();
  const bracketed: string[] = [];
  for (const pair of splitPairs(text)) {
    const at = pair.indexOf('=');
    const key = decode(at < 0 ? pair : pair.slice(0, at));
    if (typeof key !== 'string') continue;
    if (key.includes('[')) bracketed.push(pair);
    else plain.set(key, [...(plain.get(key) ?? []), decode(at < 0 ? '' : pair.slice(at + 1))]);
  }
  const values = nested(bracketed);
  for (const [key, sent] of plain) values[key] = merged(sent, values[key]);
  return values;
}

/** Splits at `&`. Stops at the limit, because a hostile text may have millions of them. */
function splitPairs(text: string): string[] {
  const pairs: string[] = [];
  for (let at = 0, start = 0; at <= text.length; at += 1) {
    if (at < text.length && text.charCodeAt(at) !== AMPERSAND) continue;
    if (at > start) pairs.push(text.slice(start, at));
    if (pairs.length > MAX_PARAMETERS) throw new TooManyParameters();
    start = at + 1;
  }
  return pairs;
}

const AMPERSAND = 0x26;

/** Merges the values of a key that was sent with and without brackets into one list, so that none is lost. */
function merged(sent: readonly unknown[], bracketed: unknown): unknown {
  if (bracketed !== undefined) return sent.concat(bracketed);
  return sent.length === 1 ? sent[0] : new Repeated(sent);
}

function nested(pairs: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (pairs.length === 0) return values;
  const parsed = qs.parse(pairs.join('&'), {
    depth: 5,
    arrayLimit: MAX_PARAMETERS,
    parameterLimit: MAX_PARAMETERS,
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
const SPACE = 0x20;

/**
 * Decodes a value in Latin-1 (one character per byte): `a+b`, `%C3%A9`, and unescaped UTF-8. Returns undefined for
 * invalid UTF-8 or an invalid escape. Runs in one pass, because hostile clients choose the input.
 */
function unescaped(text: string): string | undefined {
  if (!/[%+\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let byte = text.charCodeAt(at);
    if (byte === PLUS) byte = SPACE;
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

/** Returns the value of a hexadecimal digit's character code, or NaN for any other. */
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
