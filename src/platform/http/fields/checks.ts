import { codePointLength } from '../../../kernel/text/plain-text.js';
import { toText } from './coercion.js';
import type { Check } from './field-metadata.js';

/* Checks that several kinds of fields share (contract section 6, the table of details). */

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

export const TEXT: Check = ['rest_invalid_type', isText, 'must be text.'];
export const NOT_EMPTY: Check = ['rest_empty', (value) => value !== '', 'must not be empty.'];

export function atMost(length: number): Check {
  const fits = (value: unknown) => codePointLength(value as string) <= length;
  return ['rest_too_long', fits, `must not be longer than ${length} characters.`];
}

export function atMostItems(count: number): Check {
  return ['rest_too_long', (value) => (value as unknown[]).length <= count, `must not have more than ${count} items.`];
}

export function within({ min, max }: Range): Check[] {
  if (min === undefined) return [];
  const text = max === undefined ? `must be at least ${min}.` : `must be between ${min} and ${max}.`;
  const fits = (value: unknown) => (value as number) >= min && (max === undefined || (value as number) <= max);
  return [['rest_out_of_bounds', fits, text]];
}

export function oneOf(words: readonly string[]): Check {
  return ['rest_not_in_enum', (value) => words.includes(value as string), `must be one of ${words.join(', ')}.`];
}

/** Returns a check that applies to every item of a list. */
export function ofEach([code, passes, text]: Check): Check {
  return [code, (value) => Array.isArray(value) && value.every((item) => passes(item)), text];
}

/** Returns a coercion that cleans text. Other types pass through, so that the checks reject them. */
export const cleaned = (clean: (text: string) => string) => (value: unknown) => {
  const text = toText(value);
  return isText(text) ? clean(text) : text;
};
