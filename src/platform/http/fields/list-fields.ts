import { isInteger } from '../../../kernel/number-input.js';
import { MAX_ITEMS, toInteger, toList, toWord } from './coercion.js';
import { atMostItems, isText, ofEach, oneOf, type Range, within } from './checks.js';
import { type Check, declareField, type FieldOptions } from './field-metadata.js';

const MAX_ITEMS_CHECK = atMostItems(MAX_ITEMS);

/** A list of the given words. */
export function Choices(
  description: string,
  { words, ...options }: FieldOptions & { readonly words: readonly string[] },
) {
  return declareField(
    {
      type: 'string',
      example: words[0],
      isList: true,
      coerce: listOf(toWord),
      checks: [ofEach(oneOf(words)), MAX_ITEMS_CHECK],
    },
    description,
    options,
  );
}

/** A list of ids. */
export function IdList(description: string, { min, max, ...options }: FieldOptions & Range = {}) {
  const ids = ofEach(['rest_invalid_type', isInteger, 'must be a list of integers.']);
  const checks = [ids, MAX_ITEMS_CHECK, ...within({ min, max }).map(ofEach)];
  return declareField(
    { type: 'array', example: [12], isList: true, coerce: listOf(toInteger), checks },
    description,
    options,
  );
}

/** A list of ids and slugs, mixed. */
export function ReferenceList(description: string, options: FieldOptions = {}) {
  const isReference = (value: unknown) => isInteger(value) || isText(value);
  const items = ofEach(['rest_invalid_type', isReference, 'must be a list of ids or slugs.']);
  return declareField(
    {
      type: 'array',
      forms: [{ type: 'integer' }, { type: 'string' }],
      example: ['music'],
      isList: true,
      coerce: toList,
      checks: [items, MAX_ITEMS_CHECK],
    },
    description,
    options,
  );
}

/** Schema of `{"id": 5}`: a reference to a record; other members are ignored. */
export const RECORD_BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;

/** A value of several forms. `read` returns undefined for an unknown form, which the first check then rejects. */
export function Form(
  description: string,
  {
    read,
    checks,
    ...options
  }: FieldOptions & { readonly read: (value: unknown) => unknown; readonly checks: readonly Check[] },
) {
  const known = checks.map(([code, passes, text]): Check => [
    code,
    (value) => value !== UNKNOWN_FORM && passes(value),
    text,
  ]);
  return declareField(
    { isList: true, coerce: (value) => read(value) ?? UNKNOWN_FORM, checks: known },
    description,
    options,
  );
}

const UNKNOWN_FORM = Symbol('unreadable');

function listOf(coerce: (item: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    const items = toList(value);
    return Array.isArray(items) ? items.map(coerce) : items;
  };
}
