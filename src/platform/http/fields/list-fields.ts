import { isInteger } from '../../../kernel/number-input.js';
import { MOST_ITEMS, toInteger, toList, toWord } from './coercion.js';
import { atMostItems, isText, ofEach, oneOf, type Range, within } from './checks.js';
import { type Check, declareField, type FieldOptions } from './field-metadata.js';

const FEW_ENOUGH = atMostItems(MOST_ITEMS);

/** Some of the named words. */
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
      checks: [ofEach(oneOf(words)), FEW_ENOUGH],
    },
    description,
    options,
  );
}

/** A list of ids. */
export function IdList(description: string, { min, max, ...options }: FieldOptions & Range = {}) {
  const ids = ofEach(['rest_invalid_type', isInteger, 'must be a list of integers.']);
  const checks = [ids, FEW_ENOUGH, ...within({ min, max }).map(ofEach)];
  return declareField(
    { type: 'array', example: [12], isList: true, coerce: listOf(toInteger), checks },
    description,
    options,
  );
}

/** A list of ids or names: integers and text in any mix. */
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
      checks: [items, FEW_ENOUGH],
    },
    description,
    options,
  );
}

/** How the documentation shows `{"id": 5}`: a record of which nothing but the id counts. */
export const RECORD_BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;

/** A value of several forms that has a reader of its own; where the reader knows no form for it, the first check refuses. */
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
    (value) => value !== UNREADABLE && passes(value),
    text,
  ]);
  return declareField(
    { isList: true, coerce: (value) => read(value) ?? UNREADABLE, checks: known },
    description,
    options,
  );
}

const UNREADABLE = Symbol('unreadable');

function listOf(coerce: (item: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    const items = toList(value);
    return Array.isArray(items) ? items.map(coerce) : items;
  };
}
