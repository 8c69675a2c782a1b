import sanitizeHtml from 'sanitize-html';

/** An ampersand that begins no character entity. */
export const STRAY_AMPERSAND = /&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/gi;

/** Replaces character entities, `&eacute;` or `&#233;`, by their characters; without its semicolon none is one. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const value = text.replace(STRAY_AMPERSAND, '&amp;').replaceAll('"', '&quot;');
  let decoded = text;
  // The parser hands the value of an attribute over decoded; its text comes out encoded again.
  sanitizeHtml(`<b title="${value}">`, {
    allowedTags: [],
    allowedAttributes: false,
    onOpenTag: (_name, attributes) => (decoded = attributes.title ?? ''),
  });
  return decoded;
}
