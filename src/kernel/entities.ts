import { decodeHTMLStrict } from 'entities';

/** An ampersand that begins no character entity. */
export const STRAY_AMPERSAND = /&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/gi;

/** Replaces character entities, `&eacute;` or `&#233;`, by their characters; without its semicolon none is one. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}
