import { isEmail, isWebAddress } from '../../../kernel/text/url.js';
import { cleanHtml } from '../../../kernel/text/html.js';
import { plainText } from '../../../kernel/text/plain-text.js';
import { parseTimeZone } from '../../../kernel/time/time-zone.js';
import { atMost, cleaned, isText, NOT_EMPTY, TEXT } from './checks.js';
import { toText } from './coercion.js';
import { type Check, declareField, type FieldOptions } from './field-metadata.js';

/** Forms of text without a declared type. */
const TEXT_FORMS = [{ type: 'string' }, { type: 'number' }] as const;
/** The second form is for URLs with non-ASCII letters, and for an empty text, which clears. */
const URL_FORMS = [
  { type: 'string', format: 'uri' },
  { type: 'string', maxLength: 2000 },
] as const;

/** Plain text, without tags (contract section 3). */
export function Text(description: string, { max, ...options }: FieldOptions & { readonly max: number }) {
  const checks = [TEXT, ...(options.required ? [NOT_EMPTY] : []), atMost(max)];
  return declareField({ type: 'string', coerce: cleaned(plainText), checks }, description, options);
}

/** Text that is used as sent: searches, passwords, slugs. */
export function RawText(description: string, { max, ...options }: FieldOptions & { readonly max: number }) {
  const coerce = cleaned((text) => text.toWellFormed());
  return declareField({ type: 'string', forms: TEXT_FORMS, coerce, checks: [TEXT, atMost(max)] }, description, options);
}

/** The slug of a record, normalised by `slugify`. An empty result is rejected (contract section 3). */
export function Slug(description: string, slugify: (text: string) => string) {
  return declareField(
    { type: 'string', example: 'jazz-wine', coerce: cleaned(slugify), checks: [TEXT, NOT_EMPTY] },
    description,
    {},
  );
}

/** HTML, sanitised and with paragraphs (contract section 3). */
export function Html(description: string, options: FieldOptions = {}) {
  return declareField(
    { type: 'string', example: '<p>Doors at 7.</p>', coerce: toText, clean: cleanHtml, checks: [TEXT] },
    description,
    options,
  );
}

/** A URL (contract section 3). */
export function WebAddress(description: string, options: FieldOptions = {}) {
  const valid: Check = [
    'rest_invalid_url',
    (value) => value === '' || isWebAddress(value as string),
    'is not a valid URL.',
  ];
  const coerce = cleaned((text) => text.toWellFormed().trim());
  const checks = [TEXT, ...(options.required ? [NOT_EMPTY] : []), atMost(2000), valid];
  return declareField(
    { type: 'string', forms: URL_FORMS, example: 'https://jazz.example/', coerce, checks },
    description,
    options,
  );
}

export function Email(description: string, options: FieldOptions = {}) {
  const valid: Check = [
    'rest_invalid_email',
    (value) => value === '' || isEmail(value as string),
    'is not a valid e-mail address.',
  ];
  const coerce = cleaned((text) => text.toWellFormed().trim());
  return declareField(
    { type: 'string', example: 'bob@example.com', coerce, checks: [TEXT, atMost(254), valid] },
    description,
    options,
  );
}

/** A time zone (contract 2.4), stored in the spelling of the time zone database. */
export function Zone(description: string, options: FieldOptions = {}) {
  const coerce = cleaned((text) => parseTimeZone(text) ?? '?');
  const known: Check = [
    'rest_invalid_timezone',
    (value) => isText(value) && value !== '?',
    'is not a known time zone.',
  ];
  return declareField({ type: 'string', example: 'Europe/Paris', coerce, checks: [known] }, description, options);
}
