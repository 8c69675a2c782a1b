import { readFileSync } from 'node:fs';

/** What is said of operations and parameters, and what of responses. */
type Section = 'requests' | 'responses';
/** Texts by the keys of their places: `VenueDto.city`, `listEvents`. */
type Catalogue = Readonly<Record<Section, Readonly<Record<string, string>>>>;

const CATALOGUES: Readonly<Record<string, Catalogue>> = { de: read('de'), fr: read('fr') };

/** The languages beside English. */
export const TRANSLATED: readonly string[] = Object.keys(CATALOGUES);

/** The places of every English text. One that stands at several needs one line in a catalogue, by any of its keys. */
const PLACES = new Map<string, (readonly [Section, key: string])[]>();

const PROSE = ['description', 'summary'];
const VALUES = ['example', 'value', 'default', 'enum'];
/** What stands between a schema and its members, and is left out of keys. */
const STRUCTURE = ['properties', 'items', 'additionalProperties'];

/**
 * Names the descriptions and summaries within `value`, or the text that it is, by the place where they are declared, so
 * that catalogues know them by it; returns the value as it is. Members have the key of what they belong to before theirs.
 */
export function named<Value>(section: Section, key: string, value: Value): Value {
  if (typeof value === 'string') {
    const places = PLACES.get(value) ?? [];
    if (!places.some((place) => place.join() === `${section},${key}`)) PLACES.set(value, [...places, [section, key]]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (PROSE.includes(name) && typeof member === 'string') named(section, key, member);
      else if (typeof member === 'object' && !VALUES.includes(name))
        named(section, STRUCTURE.includes(name) ? key : `${key}.${name}`, member);
    }
  }
  return value;
}

/** English texts with the keys of their places, as `requests.VenueDto.city`. */
export function namedTexts(): readonly (readonly [text: string, keys: readonly string[]])[] {
  return [...PLACES].map(([text, places]) => [text, places.map((place) => place.join('.'))]);
}

/** A description in a language; those that nobody has translated stay English. */
function inLanguage(text: string, language: string): string {
  const found = PLACES.get(text)?.map(([section, key]) => CATALOGUES[language]?.[section][key]);
  return found?.find((line) => line !== undefined) ?? text;
}

/** A document with its descriptions and summaries translated; examples and values stay as they are. */
export function translated<Value>(value: Value, language: string): Value {
  return language in CATALOGUES ? (walk(value, language) as Value) : value;
}

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

/** By `readFileSync`, since importing JSON warns on Node 20. */
function read(language: string): Catalogue {
  return JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8')) as Catalogue;
}
