import { decodeHTMLStrict } from 'entities';

/** What follows an ampersand that begins a character entity. */
export const BEHIND_AMPERSAND = /^(?:#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/i;

/** Replaces character entities, `&eacute;` or `&#233;`, by their characters; without its semicolon none is one. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}
