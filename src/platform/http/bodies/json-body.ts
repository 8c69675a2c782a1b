import { apiError } from '../../../errors/api-error.js';

const MAX_DEPTH = 64;
const MAX_VALUES = 10_000;

const ERRORS = {
  1: 'Maximum stack depth exceeded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters',
  6: 'Not an object',
};

/** Parses JSON in UTF-8, whatever its value. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  checkLimits(text);
  return parse(text);
}

/** Parses a JSON object in UTF-8. `null` is an empty object (contract 2.1). */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes);
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

/** Checks depth and number of values before JSON.parse, because parsing a hostile body would cost memory. */
function checkLimits(text: string): void {
  let depth = 0;
  let values = 1;
  let opened = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (WHITESPACE.has(character)) continue;
    if (CLOSING.has(character)) {
      depth -= 1;
    } else if (opened || character === COMMA) {
      // An object or array has one value more than commas, unless it is empty.
      values += 1;
    }
    opened = OPENING.has(character);
    if (opened) depth += 1;
    if (depth > MAX_DEPTH) throw invalidJson(1);
    if (values > MAX_VALUES) throw apiError('rest_body_too_large');
    if (character === QUOTE) at = endOfString(text, at);
  }
}

/** Returns the index of a string's closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Returns the error for a body that is not a JSON object; `code` gives the cause (contract section 6). */
export function invalidJson(code: keyof typeof ERRORS) {
  return apiError('rest_invalid_json', { data: { json_error_code: code, json_error_message: ERRORS[code] } });
}
