import { codePointLength, plainText } from '../kernel/text/plain-text.js';
import { integerOf, isInteger } from '../kernel/number-input.js';
import { MOST_ITEMS, toInteger, toList } from '../platform/http/fields/coercion.js';
import type { Check, FieldOptions } from '../platform/http/fields/field-metadata.js';
import { Form, RECORD_BY_ID } from '../platform/http/fields/list-fields.js';

/** How a request names a term: an id; or text: an id in digits, a slug, a name. */
export type TermItem = number | string;

/** The field `categories` or `tags` of an event as accepted: ids, slugs, names and term objects in any mix. */
export function TermItems(description: string, options: FieldOptions = {}) {
  return Form(description, { read: readTermItems, checks: CHECKS, type: 'array', forms: FORMS, ...options });
}

/** The items of the accepted forms, cleaned; undefined when the form is unknown (contract 10.4). */
export function readTermItems(value: unknown): TermItem[] | undefined {
  const list: unknown = isObject(value) ? [value] : toList(value);
  if (!Array.isArray(list)) return undefined;
  const items = list.filter((item) => !isEmpty(item)).map(readItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** The id that an item may be meant as; text of digits is one only if there is such a term. */
export function idOf(item: TermItem): number | undefined {
  return typeof item === 'number' ? item : hasFormOfId(item) ? integerOf(item) : undefined;
}

/** Digits name no term that a write may create, those beyond any id neither (contract 10.4). */
export function hasFormOfId(item: TermItem): boolean {
  return typeof item === 'number' || /^\d+$/.test(item);
}

const fits = (item: TermItem) => typeof item === 'number' || codePointLength(item) <= 200;

const FORMS = [{ type: 'integer' }, { type: 'string' }, RECORD_BY_ID] as const;

const CHECKS: readonly Check[] = [
  ['rest_invalid_type', () => true, 'must be a list of ids, slugs or names.'],
  [
    'rest_too_long',
    (items) => (items as TermItem[]).length <= MOST_ITEMS,
    `must not have more than ${MOST_ITEMS} items.`,
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
