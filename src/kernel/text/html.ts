import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { BEHIND_AMPERSAND, decodeEntities, withoutTags } from './plain-text.js';

/** The elements that stand in lines of their own, as far as they are allowed (contract section 3, "HTML"). */
const BLOCK =
  'p hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre div figure figcaption ' +
  'table caption thead tbody tfoot tr th td';

/** Stored HTML without its tags; what blocks and `br` hold apart is parted by one blank (contract section 3, "Comparing"). */
export function textIn(html: string): string {
  const pieces = html.split(BREAK);
  if (pieces.length === 1) return withoutTags(html);
  return pieces
    .map((piece) => withoutTags(piece).trim())
    .filter((piece) => piece !== '')
    .join(' ');
}

const BREAK = new RegExp(`</?(?:br|${BLOCK.replaceAll(' ', '|')})(?:[ /][^<>]*)?>`);

/**
 * The form in which descriptions and excerpts are stored (contract section 3, "HTML" and "Paragraphs"; TXT-05). undefined:
 * it has more elements than MAX_ELEMENTS, or nests them deeper than MAX_DEPTH, the paragraph around them included.
 */
export function cleanHtml(value: string): string | undefined {
  const html = marked(value);
  // Text without a tag needs nothing but its paragraphs.
  if (!html.includes('<')) return unmarked(paragraphs(html));
  try {
    const { html: sane, isFinal } = sanitised(html);
    const text = paragraphs(sane);
    // The second time closes what dropped tags held apart and what the paragraphs cut, so that cleaning again is no change.
    return unmarked(isFinal && !BLANK_LINE.test(sane) ? text : sanitised(text).html);
  } catch (error) {
    if (error instanceof TooEntangled) return undefined;
    throw error;
  }
}

/** What a reader sees of stored HTML, for json_ld (contract section 8): no tags, blocks parted by a blank, entities decoded. */
export function textOfHtml(html: string): string {
  return decodeEntities(textIn(html)).trim();
}

/** Stand-ins for what sanitize-html would rewrite. No control character but tab and line end gets this far. */
const ENTITY_START = '\u0001';
const STRAY = '\u0002';
const LINE_END_IN_TAG = '\u0003';

function marked(value: string): string {
  const html = markedAmpersands(
    value
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex -- control characters are what this is about: the class Cc
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, ''),
  );
  // Behind the last > no tag is closed any more: each < is a stray one, and the parser would drop the rest.
  const end = html.lastIndexOf('>') + 1;
  return html.slice(0, end) + swapped(html.slice(end), '<', `${ENTITY_START}lt;`);
}

function markedAmpersands(html: string): string {
  const [before = '', ...pieces] = html.split('&');
  return before + pieces.map((piece) => (BEHIND_AMPERSAND.test(piece) ? ENTITY_START : STRAY) + piece).join('');
}

/** Another text for each `part`: where there are millions, a fifth of the time that `replaceAll` takes. */
function swapped(text: string, part: string, other: string): string {
  return text.includes(part) ? text.split(part).join(other) : text;
}

function unmarked(html: string): string {
  const text = html.includes('&gt;') ? html.replace(/<[^<>]*>|&gt;/g, (part) => (part === '&gt;' ? '>' : part)) : html;
  return swapped(swapped(swapped(text, ENTITY_START, '&'), STRAY, '&amp;'), LINE_END_IN_TAG, '\n');
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
const OPTIONS: IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: ATTRIBUTES,
  allowedEmptyAttributes: Object.values(ATTRIBUTES).flat(),
  nonTextTags: 'script style iframe object embed template noscript svg math'.split(' '),
  selfClosing: VOID,
  parser: { decodeEntities: false },
  // Addresses are checked below with their entities decoded, which the library would not see.
  allowedSchemesAppliedToAttributes: [],
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: withRel(withSafeAddress(attribs, 'href')) }),
    img: (tagName, attribs) => ({ tagName, attribs: withSafeAddress(attribs, 'src') }),
  },
};

/** As deep as browsers nest. The parser looks every end tag up in all open ones, which takes minutes if they are many. */
export const MAX_DEPTH = 512;

/** An element as it is stored takes six bytes or more, and far longer to clean than as many bytes of text. */
export const MAX_ELEMENTS = 50_000;

/** Of svg and math: self-closed ones stay open to the parser's mind, each making the next one slower. */
const MAX_FOREIGN = 10_000;

class TooEntangled extends Error {}

/** `isFinal`: no tag was dropped, so that doing it again changes nothing, one more element around it included. */
function sanitised(html: string): { html: string; isFinal: boolean } {
  let depth = 0;
  let elements = 0;
  let foreign = 0;
  let isFinal = true;
  const onOpenTag = (name: string) => {
    depth += 1;
    elements += 1;
    if (depth === MAX_DEPTH || !ALLOWED_TAGS.has(name)) isFinal = false;
    if (name === 'svg' || name === 'math') foreign += 1;
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS || foreign > MAX_FOREIGN) throw new TooEntangled();
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  return { html: sanitizeHtml(html, { ...OPTIONS, onOpenTag, onCloseTag }), isFinal };
}

function withSafeAddress(attributes: Attributes, name: string): Attributes {
  const { [name]: address, ...others } = attributes;
  return address === undefined || isSafeAddress(address) ? attributes : others;
}

function isSafeAddress(marked: string): boolean {
  // Browsers skip control characters and blanks here and take \ for /.
  const address = decoded(marked).replace(/[\p{Cc} ]+/gu, '');
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1];
  if (scheme !== undefined) return ['http', 'https', 'mailto', 'tel'].includes(scheme.toLowerCase());
  return !/^[/\\]{2}/.test(address);
}

function withRel(attributes: Attributes): Attributes {
  const { target } = attributes;
  const staysHere = target === undefined || decoded(target).toLowerCase() === '_self';
  return staysHere ? attributes : { ...attributes, rel: 'noopener' };
}

function decoded(marked: string): string {
  return decodeEntities(unmarked(marked));
}

const BLANK_LINE = /\n{2,}/;
const HOLDS_BLOCK = new RegExp(`<(?:${BLOCK.replaceAll(' ', '|')})[ >]`);

function paragraphs(html: string): string {
  const text = html.trim();
  if (text === '' || HOLDS_BLOCK.test(text)) return text;
  return text
    .replace(/<[^<>]*>/g, (tag) => tag.replaceAll('\n', LINE_END_IN_TAG))
    .split(BLANK_LINE)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => `<p>${swapped(piece, '\n', '<br />\n')}</p>`)
    .join('\n');
}
