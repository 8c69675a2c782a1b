import { ANSWERS_DE } from './answers.de.js';
import { ANSWERS_FR } from './answers.fr.js';
import { REQUESTS_DE } from './requests.de.js';
import { REQUESTS_FR } from './requests.fr.js';

const DICTIONARIES: Record<string, Readonly<Record<string, string>>> = {
  de: { ...REQUESTS_DE, ...ANSWERS_DE },
  fr: { ...REQUESTS_FR, ...ANSWERS_FR },
};

/** The languages beside English. */
export const TRANSLATED: readonly string[] = Object.keys(DICTIONARIES);

/** A description in a language; those that nobody has translated stay English. */
function inLanguage(text: string, language: string): string {
  return DICTIONARIES[language]?.[text] ?? text;
}

/** A document with its descriptions and summaries translated; examples and values stay as they are. */
export function translated<Value>(value: Value, language: string): Value {
  return language in DICTIONARIES ? (walk(value, language) as Value) : value;
}

const PROSE = ['description', 'summary'];
const VALUES = ['example', 'value', 'default', 'enum'];

function walk(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, language));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    if (VALUES.includes(key)) return [key, member];
    return [
      key,
      PROSE.includes(key) && typeof member === 'string' ? inLanguage(member, language) : walk(member, language),
    ];
  });
  return Object.fromEntries(members);
}
