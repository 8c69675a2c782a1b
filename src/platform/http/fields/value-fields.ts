import { isFiniteNumber, isInteger } from '../../../kernel/number-input.js';
import { isText, oneOf, type Range, TEXT, within } from './checks.js';
import { toBoolean, toDouble, toInteger, toWord } from './coercion.js';
import { type Check, declareField, type FieldOptions } from './field-metadata.js';

export function Int(description: string, { min, max, ...options }: FieldOptions & Range = {}) {
  const type: Check = ['rest_invalid_type', isInteger, 'must be an integer.'];
  return declareField(
    { type: 'integer', example: 12, coerce: toInteger, checks: [type, ...within({ min, max })] },
    description,
    options,
  );
}

export function Double(description: string, { min, max, ...options }: FieldOptions & Range = {}) {
  const type: Check = ['rest_invalid_type', isFiniteNumber, 'must be a number.'];
  return declareField(
    { type: 'number', example: 4.5, coerce: toDouble, checks: [type, ...within({ min, max })] },
    description,
    options,
  );
}

/** Forms of a boolean without a declared type. */
const BOOLEAN_FORMS = [{ type: 'boolean' }, { type: 'integer', enum: [1, 0] }] as const;

export function Flag(description: string, options: FieldOptions = {}) {
  const type: Check = ['rest_invalid_type', (value) => typeof value === 'boolean', 'must be true or false.'];
  return declareField(
    {
      type: 'boolean',
      forms: BOOLEAN_FORMS,
      example: options.type === 'string' ? 'true' : true,
      coerce: toBoolean,
      checks: [type],
    },
    description,
    options,
  );
}

/** One of the given words, case-insensitive. */
export function Choice(
  description: string,
  { words, ...options }: FieldOptions & { readonly words: readonly string[] },
) {
  const checks = [TEXT, oneOf(words)];
  return declareField({ type: 'string', example: words[0], coerce: toWord, checks }, description, {
    enum: words,
    ...options,
  });
}

/** Text, or Unix seconds. */
const DATE_FORMS = [{ type: 'string' }, { type: 'integer' }] as const;

/** A date in one of the forms of contract 2.3. The service parses it, because only there the time zone is known. */
export function WireDate(description: string, options: FieldOptions = {}) {
  const valid: Check = [
    'rest_invalid_date',
    (value) => isText(value) || isFiniteNumber(value),
    'is not a date in a supported format.',
  ];
  return declareField(
    { forms: DATE_FORMS, example: '2027-03-10 20:00', coerce: (value) => value, checks: [valid] },
    description,
    options,
  );
}
