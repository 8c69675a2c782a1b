import { codePointLength, plainText } from '../kernel/text/plain-text.js';
import { integerOf, isInteger } from '../kernel/number-input.js';
import { MAX_ITEMS, toInteger, toList } from '../platform/http/fields/coercion.js';
import type { Check, FieldOptions } from '../platform/http/fields/field-metadata.js';
import { Form, RECORD_BY_ID } from '../platform/http/fields/list-fields.js';

/** A term in a request: an id as a number, or a text that is an id in digits, a slug or a name. */
export type TermItem = number | string;

/** Declares the field `categories` or `tags` of an event, which accepts ids, slugs, names and term objects. */
export function TermItems(description: string, options: FieldOptions = {}) {
  return Form(description, { read: readTermItems, checks: CHECKS, type: 'array', forms: FORMS, ...options });
}

/** Returns the cleaned items of an accepted form, or undefined for any other form (contract 10.4). */
export function readTermItems(value: unknown): TermItem[] | undefined {
  const list: unknown = isObject(value) ? [value] : toList(value);
  if (!Array.isArray(list)) return undefined;
  const items = list.filter((item) => !isEmpty(item)).map(readItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Returns the id that an item may be. Text of digits is an id only if a term with that id exists. */
export function idOf(item: TermItem): number | undefined {
  return typeof item === 'number' ? item : looksLikeId(item) ? integerOf(item) : undefined;
}

/** Whether an item looks like an id, even one that is too large. A write creates no term of such a name (contract 10.4). */
export function looksLikeId(item: TermItem): boolean {
  return typeof item === 'number' || /^\d+$/.test(item);
}

const fits = (item: TermItem) => typeof item === 'number' || codePointLength(item) <= 200;

const FORMS = [{ type: 'integer' }, { type: 'string' }, RECORD_BY_ID] as const;

const CHECKS: readonly Check[] = [
  ['rest_invalid_type', () => true, 'must be a list of ids, slugs or names.'],
  [
    'rest_too_long',
    (items) => (items as TermItem[]).length <= MAX_ITEMS,
    `must not have more than ${MAX_ITEMS} items.`,
  ],
  ['rest_too_long', (items) => (items as TermItem[]).every(fits), 'must not be longer than 200 characters.'],
];

function readItem(item: unknown): TermItem | undefined {
  if (typeof item === 'string') return plainText(item) || undefined;
  const id = isObject(item) ? toInteger((item as { id?: unknown }).id) : item;
  return isInteger(id) ? id : undefined;
}

/** Empty items are dropped, as from CSV text. */
function isEmpty(item: unknown): boolean {
  return item === null || (typeof item === 'string' && item.trim() === '');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
