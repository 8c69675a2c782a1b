import { decodeEntities } from './plain-text.js';
import { textIn } from './html.js';

/** Two names with the same key are the same name but for case (contract section 3, "Comparing"). */
export function nameKey(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The case- and accent-insensitive form of words searched for; what looks like a tag stays (contract EV-LIST-23). */
export function foldText(text: string): string {
  // Decomposed first: only then ™ shows its letters and ǽ is the æ of the table.
  const bare = decodeEntities(text.toWellFormed()).normalize('NFKD').toLowerCase().replace(COMBINING_MARKS, '');
  // An entity can stand for a line end, too; only those between two fields may remain.
  return replaceLetters(bare)
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ');
}

/** What a search looks at: one line a field, so that no word is found across two (contract section 3, "Comparing"). */
export function searchText(fields: readonly string[]): string {
  return fields.map(sortKey).join('\n');
}

/** Titles and names are sorted by the code points of this (contract section 3, "Comparing"). */
export function sortKey(text: string): string {
  return foldText(textIn(text));
}

/** Latin letters that Unicode does not decompose (contract section 3, slug step 1); expects lower case. */
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
