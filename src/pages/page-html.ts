import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { firstWords } from '../kernel/text/first-words.js';
import { STORED_HTML } from '../kernel/text/html.js';

/** Our own class names, which a description must not use. */
const OWN_CLASS = /^k-/;
const MAX_DESCRIPTION = 160;

/**
 * Returns a stored description as pages show it (pages P4.5): the highest heading is `h2`, links and images tell their
 * hosts nothing, wide tables scroll. The stored HTML is clean already. `table`: the name of tables for screen readers.
 */
export function pageHtml(html: string, table: string): string {
  if (!UNUSUAL.test(html)) return html.replace(LINK, '<a $1 rel="nofollow noreferrer">');
  const highest = Math.min(7, ...[...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level)));
  const shift = 2 - highest;
  const heading = (level: number) => `h${Math.min(6, level + shift)}`;
  const headings = [1, 2, 3, 4, 5, 6].map((level) => [
    `h${level}`,
    (_: string, attribs: Attributes) => ({
      tagName: highest > 6 ? `h${level}` : heading(level),
      attribs: withoutOwnClasses(attribs),
    }),
  ]);
  const clean = sanitizeHtml(html, {
    ...OPTIONS,
    transformTags: { ...TRANSFORMS, ...(Object.fromEntries(headings) as object) },
  });
  const region = `<section class="k-scroll" tabindex="0" aria-label="${escaped(table)}">`;
  return clean.replaceAll(/<table[\s>]/g, (tag) => `${region}${tag}`).replaceAll('</table>', '</table></section>');
}

/** A tag beside those of most descriptions: paragraphs and lists without attributes, and links with an address only. */
const UNUSUAL =
  /<(?!\/?(?:p|br|ul|ol|li|b|strong|i|em|blockquote)(?: ?\/)?>|\/a>|a href="(?:https?|mailto|tel):[^"<>]*">)/;
const LINK = /<a (href="[^"<>]*")>/g;

/** Returns the beginning of a text in one line, for the description of a page in search results. */
export function shortText(text: string): string {
  return firstWords(text.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION);
}

const OPTIONS: IOptions = {
  allowedTags: [...STORED_HTML.tags],
  allowedAttributes: {
    ...STORED_HTML.attributes,
    img: [...(STORED_HTML.attributes.img ?? []), 'loading', 'decoding', 'referrerpolicy'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesAppliedToAttributes: ['href', 'src'],
};

const TRANSFORMS: IOptions['transformTags'] = {
  '*': (tagName, attribs) => ({ tagName, attribs: withoutOwnClasses(attribs) }),
  a: (tagName, attribs) => ({ tagName, attribs: { ...withoutOwnClasses(attribs), rel: 'nofollow noreferrer' } }),
  img: (tagName, attribs) => ({
    tagName,
    attribs: {
      alt: '',
      ...withoutOwnClasses(attribs),
      loading: 'lazy',
      decoding: 'async',
      referrerpolicy: 'no-referrer',
    },
  }),
};

function withoutOwnClasses({ class: names, ...others }: Attributes): Attributes {
  const kept = (names ?? '').split(/\s+/).filter((name) => name !== '' && !OWN_CLASS.test(name));
  return kept.length === 0 ? others : { ...others, class: kept.join(' ') };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
