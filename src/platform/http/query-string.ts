import qs from 'qs';
import { unescaped } from './unescaped.js';

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
