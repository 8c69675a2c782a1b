import { catalogues } from './catalogues.js';

/** Texts about operations and parameters, and texts about responses. */
type Section = 'requests' | 'responses';
/** Translated texts by key: `VenueDto.city`, `listEvents`. */
type Catalogue = Readonly<Record<Section, Readonly<Record<string, string>>>>;

const catalogueOf = catalogues<Catalogue>(new URL('.', import.meta.url));

/** The keys of every English text. A text with several keys needs one line in a catalogue, with any of them. */
const KEYS = new Map<string, (readonly [Section, key: string])[]>();

const TEXT_MEMBERS = ['description', 'summary'];
const VALUE_MEMBERS = ['example', 'value', 'default', 'enum'];
/** Members of OpenAPI schemas that are left out of keys. */
const STRUCTURE = ['properties', 'items', 'additionalProperties'];

/**
 * Registers keys for the descriptions and summaries within `value`, or for `value` itself if it is a text. Keys are
 * made from the place of declaration; nested members append their name. Returns the value unchanged.
 */
export function withKeys<Value>(section: Section, key: string, value: Value): Value {
  if (typeof value === 'string') {
    const keys = KEYS.get(value) ?? [];
    if (!keys.some((place) => place.join() === `${section},${key}`)) KEYS.set(value, [...keys, [section, key]]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (TEXT_MEMBERS.includes(name) && typeof member === 'string') withKeys(section, key, member);
      else if (typeof member === 'object' && !VALUE_MEMBERS.includes(name))
        withKeys(section, STRUCTURE.includes(name) ? key : `${key}.${name}`, member);
    }
  }
  return value;
}

/** Returns all English texts with their keys: `requests.VenueDto.city`. */
export function textsWithKeys(): readonly (readonly [text: string, keys: readonly string[]])[] {
  return [...KEYS].map(([text, keys]) => [text, keys.map((place) => place.join('.'))]);
}

/** Returns the translation of a text, or the English text if there is none. */
function inCatalogue(text: string, catalogue: Catalogue): string {
  const found = KEYS.get(text)?.map(([section, key]) => catalogue[section][key]);
  return found?.find((line) => line !== undefined) ?? text;
}

/** Returns a copy with translated descriptions and summaries. Examples and values stay unchanged. */
export function translated<Value>(value: Value, language: string): Value {
  const catalogue = catalogueOf(language);
  return catalogue === undefined ? value : (walk(value, catalogue) as Value);
}

function walk(value: unknown, catalogue: Catalogue): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, catalogue));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    if (VALUE_MEMBERS.includes(key)) return [key, member];
    return [
      key,
      TEXT_MEMBERS.includes(key) && typeof member === 'string'
        ? inCatalogue(member, catalogue)
        : walk(member, catalogue),
    ];
  });
  return Object.fromEntries(members);
}
