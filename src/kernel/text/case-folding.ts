import { decodeEntities } from './plain-text.js';
import { stripHtml } from './html.js';

/** Returns a name's key. Names that differ in case only have the same key (contract section 3, "Comparing"). */
export function nameKey(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Returns the case- and accent-insensitive form of search words. Tags are kept as text (contract EV-LIST-23). */
export function foldText(text: string): string {
  // Decomposed first, so that ™ becomes letters and ǽ becomes the æ of the table.
  const bare = decodeEntities(text.toWellFormed()).normalize('NFKD').toLowerCase().replace(COMBINING_MARKS, '');
  // Entities may decode to line ends. Line ends separate fields in `searchText`, so none may remain here.
  return replaceLetters(bare)
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ');
}

/** Returns the text that a search reads: one field per line, so that no match spans two (contract section 3, "Comparing"). */
export function searchText(fields: readonly string[]): string {
  return fields.map(sortKey).join('\n');
}

/** Returns the key by whose code points titles and names are sorted (contract section 3, "Comparing"). */
export function sortKey(text: string): string {
  return foldText(stripHtml(text));
}

/** Replaces Latin letters that Unicode does not decompose (contract section 3, slug step 1). Expects lower case. */
export function replaceLetters(text: string): string {
  return text.replace(/[ßæœøłđþı]/g, (letter) => PLAIN_LETTERS[letter]!);
}

const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ı: 'i',
};

const COMBINING_MARKS = /[\u0300-\u036f]+/g;
