import { foldText } from './case-folding.js';

export interface SearchQuery {
  include: string[];
  exclude: string[];
}

/**
 * Returns the folded words of an event search: those that must occur, and those that must not. A text of more than 20
 * words is one phrase, in which `-` and quotes are text (contract EV-LIST-22).
 */
export function parseSearch(text: string): SearchQuery {
  const sent = text.replace(/\p{Cc}/gu, ' ');
  const query = wordsOf(sent);
  const words = query.include.length + query.exclude.length;
  return words > MAX_WORDS ? { include: [foldText(sent).trim()], exclude: [] } : query;
}

/** Returns the folded words of a venue or organizer search. One field must contain all of them (contract VO-06, VO-07). */
export function searchPieces(text: string): string[] {
  const pieces = foldText(text).match(/[\p{L}\p{M}\p{Nd}\p{Nl}-]+/gu) ?? [];
  return pieces.filter((piece) => /[\p{L}\p{Nd}\p{Nl}]/u.test(piece));
}

function wordsOf(text: string): SearchQuery {
  const query: SearchQuery = { include: [], exclude: [] };
  for (const [, minus, phrase, word] of text.matchAll(WORD)) {
    const folded = foldText(phrase ?? word ?? '').trim();
    // A hyphen between spaces is ignored, so that `rock - pop` finds "Rock & Pop", too.
    if (folded === '' || word === '-') continue;
    (minus ? query.exclude : query.include).push(folded);
  }
  return query;
}

/** A minus excludes directly before a word only. An unbalanced quote runs to the end. */
const WORD = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g;

/** A longer search is a title, because sync programs look for an event's title before they create it. */
const MAX_WORDS = 20;
