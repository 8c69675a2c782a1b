import { apiError } from '../../../errors/api-error.js';

const MOST_DEPTH = 64;
const MOST_VALUES = 10_000;

const ERRORS = {
  1: 'Maximum stack depth exceeded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters',
  6: 'Not an object',
};

/** Reads a JSON object; `null` is an empty one (contract 2.1). */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  const text = decode(bytes);
  checkSize(text);
  const value = parse(text);
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidJson(6);
  return value as Record<string, unknown>;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson(5);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(4);
  }
}

/** Depth and number of values are counted before anything is built of them. */
function checkSize(text: string): void {
  let depth = 0;
  let values = 1;
  let opened = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (BLANKS.has(character)) continue;
    if (CLOSES.has(character)) {
      depth -= 1;
    } else if (opened || character === COMMA) {
      // A container holds as many values as it has commas, and one more unless it is empty.
      values += 1;
    }
    opened = OPENS.has(character);
    if (opened) depth += 1;
    if (depth > MOST_DEPTH) throw invalidJson(1);
    if (values > MOST_VALUES) throw apiError('rest_body_too_large');
    if (character === QUOTE) at = endOfString(text, at);
  }
}

/** Where the quote stands that closes a string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);

/** The body is no JSON object, and why (contract section 6). */
export function invalidJson(code: keyof typeof ERRORS) {
  return apiError('rest_invalid_json', { data: { json_error_code: code, json_error_message: ERRORS[code] } });
}
