import { foldText } from './case-folding.js';

export interface SearchQuery {
  include: string[];
  exclude: string[];
}

/**
 * The folded words of an event search that must occur, and those that must not. More than 20 are one phrase, and then `-`
 * and quotes are text (contract EV-LIST-22).
 */
export function parseSearch(text: string): SearchQuery {
  const sent = text.replace(/\p{Cc}/gu, ' ');
  const query = wordsOf(sent);
  const words = query.include.length + query.exclude.length;
  return words > MOST_WORDS ? { include: [foldText(sent).trim()], exclude: [] } : query;
}

/** The folded pieces of a venue or organizer search; one and the same field must hold all (contract VO-06, VO-07). */
export function searchPieces(text: string): string[] {
  const pieces = foldText(text).match(/[\p{L}\p{M}\p{Nd}\p{Nl}-]+/gu) ?? [];
  return pieces.filter((piece) => /[\p{L}\p{Nd}\p{Nl}]/u.test(piece));
}

function wordsOf(text: string): SearchQuery {
  const query: SearchQuery = { include: [], exclude: [] };
  for (const [, minus, phrase, word] of text.matchAll(WORD)) {
    const folded = foldText(phrase ?? word ?? '').trim();
    // A dash between blanks is no word: `rock - pop` is to find "Rock & Pop", too.
    if (folded === '' || word === '-') continue;
    (minus ? query.exclude : query.include).push(folded);
  }
  return query;
}

/** A minus counts before a word only; an unbalanced quote runs to the end. */
const WORD = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g;

/** More words than anybody looks for one by one are a text of which to find the copies. */
const MOST_WORDS = 20;
