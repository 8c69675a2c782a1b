import { foldText } from './fold.js';

export interface SearchQuery {
  include: string[];
  exclude: string[];
}

/** The folded words of an event search that must occur, and those that must not (contract EV-LIST-22). */
export function parseSearch(text: string): SearchQuery {
  const query: SearchQuery = { include: [], exclude: [] };
  for (const [, minus, phrase, word] of text.replace(/\p{Cc}/gu, ' ').matchAll(WORD)) {
    const folded = foldText(phrase ?? word ?? '').trim();
    // A dash between blanks is no word: `rock - pop` is to find "Rock & Pop", too.
    if (folded === '' || word === '-') continue;
    (minus ? query.exclude : query.include).push(folded);
  }
  return query;
}

/** The folded pieces of a venue or organizer search; one and the same field must hold all (contract VO-06, VO-07). */
export function searchPieces(text: string): string[] {
  const pieces = foldText(text).match(/[\p{L}\p{M}\p{Nd}\p{Nl}-]+/gu) ?? [];
  return pieces.filter((piece) => /[\p{L}\p{Nd}\p{Nl}]/u.test(piece));
}

/** A minus counts before a word only; an unbalanced quote runs to the end. */
const WORD = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g;
