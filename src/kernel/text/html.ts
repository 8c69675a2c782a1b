import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { ENTITY_AFTER_AMPERSAND, decodeEntities, withoutTags } from './plain-text.js';

/** The allowed block elements (contract section 3, "HTML"). */
const BLOCK =
  'p hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre div figure figcaption ' +
  'table caption thead tbody tfoot tr th td';

/** Returns stored HTML without tags. One space replaces block boundaries and `br` (contract section 3, "Comparing"). */
export function stripHtml(html: string): string {
  const pieces = html.split(BLOCK_BREAK);
  if (pieces.length === 1) return withoutTags(html);
  return pieces
    .map((piece) => withoutTags(piece).trim())
    .filter((piece) => piece !== '')
    .join(' ');
}

const BLOCK_BREAK = new RegExp(`</?(?:br|${BLOCK.replaceAll(' ', '|')})(?:[ /][^<>]*)?>`);

/**
 * Returns descriptions and excerpts as they are stored (contract section 3, "HTML" and "Paragraphs"; TXT-05), or undefined
 * beyond MAX_ELEMENTS or MAX_DEPTH. The paragraph that is added around the text counts.
 */
export function cleanHtml(value: string): string | undefined {
  const html = withPlaceholders(value);
  // Text without a tag needs only paragraphs.
  if (!html.includes('<')) return withoutPlaceholders(paragraphs(html));
  try {
    const { html: sanitized, isFinal, hasLinesInElements } = sanitize(html);
    const text = paragraphs(sanitized);
    // The second pass closes what dropped tags or paragraph breaks left open, so that cleaning again changes nothing.
    const isWhole = isFinal && !(hasLinesInElements && BLANK_LINE.test(sanitized));
    return withoutPlaceholders(isWhole ? text : sanitize(text).html);
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
}

/** Returns the text of stored HTML for json_ld (contract section 8): no tags, a space between blocks, entities decoded. */
export function textOfHtml(html: string): string {
  return decodeEntities(stripHtml(html)).trim();
}

/** Placeholders for what sanitize-html would rewrite. `withPlaceholders` removes these characters from the text before. */
const ENTITY_PLACEHOLDER = '\u0001';
const AMPERSAND_PLACEHOLDER = '\u0002';
const LINE_END_PLACEHOLDER = '\u0003';

function withPlaceholders(value: string): string {
  const html = withAmpersandPlaceholders(
    value
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- removes the control characters (Unicode class Cc)
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, ''),
  );
  // No tag ends after the last >. Each < there is text, but the parser would drop the rest.
  const end = html.lastIndexOf('>') + 1;
  return html.slice(0, end) + replaceEach(html.slice(end), '<', `${ENTITY_PLACEHOLDER}lt;`);
}

function withAmpersandPlaceholders(html: string): string {
  const [before = '', ...pieces] = html.split('&');
  return (
    before +
    pieces
      .map((piece) => (ENTITY_AFTER_AMPERSAND.test(piece) ? ENTITY_PLACEHOLDER : AMPERSAND_PLACEHOLDER) + piece)
      .join('')
  );
}

/** Like `replaceAll`, in a fifth of the time where there are millions of matches. */
function replaceEach(text: string, search: string, replacement: string): string {
  return text.includes(search) ? text.split(search).join(replacement) : text;
}

function withoutPlaceholders(html: string): string {
  const text = html.includes('&gt;') ? html.replace(/<[^<>]*>|&gt;/g, (part) => (part === '&gt;' ? '>' : part)) : html;
  return replaceEach(
    replaceEach(replaceEach(text, ENTITY_PLACEHOLDER, '&'), AMPERSAND_PLACEHOLDER, '&amp;'),
    LINE_END_PLACEHOLDER,
    '\n',
  );
}

const VOID = ['br', 'hr', 'img'];
const INLINE = 'br a abbr b strong i em u s del ins mark small sub sup code kbd q cite span time img';
const ALLOWED_TAGS = new Set(`${BLOCK} ${INLINE}`.split(' '));
const ATTRIBUTES = {
  '*': ['class', 'title', 'lang', 'dir'],
  a: ['href', 'target', 'rel'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colspan', 'rowspan', 'scope'],
  th: ['colspan', 'rowspan', 'scope'],
  ol: ['start'],
  time: ['datetime'],
};
/** What stored HTML consists of. */
export const STORED_HTML: { readonly tags: readonly string[]; readonly attributes: Record<string, string[]> } = {
  tags: [...ALLOWED_TAGS],
  attributes: ATTRIBUTES,
};

const OPTIONS: IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: ATTRIBUTES,
  allowedEmptyAttributes: Object.values(ATTRIBUTES).flat(),
  nonTextTags: 'script style iframe object embed template noscript svg math'.split(' '),
  selfClosing: VOID,
  parser: { decodeEntities: false },
  // The library would check URLs without decoding their entities: isSafeUrl does it instead.
  allowedSchemesAppliedToAttributes: [],
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: withRel(withSafeUrl(attribs, 'href')) }),
    img: (tagName, attribs) => ({ tagName, attribs: withSafeUrl(attribs, 'src') }),
  },
};

/** Browsers nest no deeper. The parser compares each end tag with all open elements: many of them take minutes. */
export const MAX_DEPTH = 512;

/** A limit of its own, because elements take far longer to clean than text of the same length: so many about 0.2 s. */
export const MAX_ELEMENTS = 30_000;

/** Limit of svg and math elements. The parser never closes self-closing ones, and each makes the next one slower. */
const MAX_FOREIGN_ELEMENTS = 10_000;

class TooComplex extends Error {}

/**
 * `isFinal`: no tag was dropped, so that a second pass changes nothing, even inside one more element. `hasLinesInElements`: a text
 * inside an element has a line break, where a paragraph may end.
 */
function sanitize(html: string): { html: string; isFinal: boolean; hasLinesInElements: boolean } {
  let hasLinesInElements = false;
  let depth = 0;
  let elements = 0;
  let foreign = 0;
  let isFinal = true;
  const onOpenTag = (name: string) => {
    depth += 1;
    elements += 1;
    if (depth === MAX_DEPTH || !ALLOWED_TAGS.has(name)) isFinal = false;
    if (name === 'svg' || name === 'math') foreign += 1;
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS || foreign > MAX_FOREIGN_ELEMENTS) throw new TooComplex();
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  const textFilter = (text: string) => {
    if (depth > 0 && text.includes('\n')) hasLinesInElements = true;
    return text;
  };
  return { html: sanitizeHtml(html, { ...OPTIONS, onOpenTag, onCloseTag, textFilter }), isFinal, hasLinesInElements };
}

function withSafeUrl(attributes: Attributes, name: string): Attributes {
  const { [name]: url, ...others } = attributes;
  return url === undefined || isSafeUrl(url) ? attributes : others;
}

function isSafeUrl(attribute: string): boolean {
  // Browsers ignore control characters and spaces here and read \ as /.
  const url = decoded(attribute).replace(/[\p{Cc} ]+/gu, '');
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1];
  if (scheme !== undefined) return ['http', 'https', 'mailto', 'tel'].includes(scheme.toLowerCase());
  return !/^[/\\]{2}/.test(url);
}

function withRel(attributes: Attributes): Attributes {
  const { target } = attributes;
  const isSameTab = target === undefined || decoded(target).toLowerCase() === '_self';
  return isSameTab ? attributes : { ...attributes, rel: 'noopener' };
}

function decoded(attribute: string): string {
  return decodeEntities(withoutPlaceholders(attribute));
}

const BLANK_LINE = /\n{2,}/;
const BLOCK_START = new RegExp(`<(?:${BLOCK.replaceAll(' ', '|')})[ >]`);

function paragraphs(html: string): string {
  const text = html.trim();
  if (text === '' || BLOCK_START.test(text)) return text;
  return text
    .replace(/<[^<>]*>/g, (tag) => tag.replaceAll('\n', LINE_END_PLACEHOLDER))
    .split(BLANK_LINE)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => `<p>${replaceEach(piece, '\n', '<br />\n')}</p>`)
    .join('\n');
}
