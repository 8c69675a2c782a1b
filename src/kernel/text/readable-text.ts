import { decodeEntities } from './plain-text.js';

const MAX_CODE_POINTS = 20_000;

/** Elements before and after which a blank line stands. */
const PARAGRAPHS = new Set(
  'p hr h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre div figure figcaption table caption'.split(' '),
);
/** Elements that stand in lines of their own. */
const LINES = new Set(['li', 'tr', 'dt', 'dd']);
const CELLS = new Set(['td', 'th']);
const ITEM = '- ';

const PIECES = /(<[^<>]*>)/;
const TAG = /^<(\/?)([a-z][a-z\d]*)/;

interface Link {
  readonly address: string;
  /** Where its text begins: the number of parts, and of characters. */
  readonly part: number;
  readonly length: number;
}

/** State of a single pass over tags and texts. */
interface Reader {
  readonly parts: string[];
  /** The length of all parts. */
  length: number;
  /** Line ends to write before the next text: up to two. */
  lineEnds: number;
  /** Whether a blank stands before the next text, unless it begins a line. */
  isBlank: boolean;
  /** Open `pre` elements, whose line ends count. */
  preformatted: number;
  readonly links: Link[];
}

/**
 * Returns stored HTML (html.ts) as a text for people, with lines and paragraphs (ical 2, "Description as text"). Links show
 * their address, images their alternative text. Cuts it after 20,000 code points, with "…".
 */
export function readableText(html: string): string {
  const reader: Reader = { parts: [], length: 0, lineEnds: 0, isBlank: false, preformatted: 0, links: [] };
  for (const piece of html.split(PIECES)) {
    if (piece.startsWith('<')) readTag(reader, piece);
    else if (piece !== '') readText(reader, decodeEntities(piece));
    // A code point has two units at most, so that the rest will be cut.
    if (reader.length > 2 * MAX_CODE_POINTS) break;
  }
  return shortened(reader.parts.join('').trim());
}

/** Whether stored HTML has any element other than `p` and `br`, which a text shows as well. */
export function hasMarkup(html: string): boolean {
  return /<(?!\/|(?:p|br)[ />])/.test(html);
}

function readTag(reader: Reader, tag: string): void {
  const [, slash, name = ''] = TAG.exec(tag) ?? [];
  const isEnd = slash === '/';
  if (PARAGRAPHS.has(name)) endLine(reader, 2);
  else if (LINES.has(name)) endLine(reader, 1);
  else if (CELLS.has(name)) reader.isBlank = true;
  else if (name === 'br') reader.lineEnds = Math.min(2, reader.lineEnds + 1);
  else if (name === 'img') readText(reader, attributeOf(tag, 'alt'));
  else if (name === 'a') (isEnd ? endLink : beginLink)(reader, tag);
  if (name === 'pre') reader.preformatted += isEnd ? -1 : 1;
  else if (name === 'li' && !isEnd) append(reader, ITEM);
}

/** Puts at least this many line ends before the next text, except right after the mark of an item. */
function endLine(reader: Reader, count: number): void {
  if (reader.parts.at(-1) !== ITEM) reader.lineEnds = Math.max(reader.lineEnds, count);
}

function readText(reader: Reader, text: string): void {
  if (reader.preformatted > 0) {
    readLines(reader, text);
    return;
  }
  const words = text.trim().replace(/\s+/g, ' ');
  if (/^\s/.test(text)) reader.isBlank = true;
  if (words === '') return;
  append(reader, words);
  reader.isBlank = /\s$/.test(text);
}

/** Reads preformatted text, whose blanks and line ends stay. */
function readLines(reader: Reader, text: string): void {
  for (const [index, line] of text.replaceAll('\t', ' ').split('\n').entries()) {
    if (index > 0) reader.lineEnds = Math.min(2, reader.lineEnds + 1);
    if (line !== '') append(reader, line);
  }
}

/** Appends words, and what stands before them. */
function append(reader: Reader, words: string): void {
  const isFirst = reader.length === 0;
  if (!isFirst && reader.lineEnds > 0) write(reader, '\n'.repeat(reader.lineEnds));
  else if (!isFirst && reader.isBlank && reader.parts.at(-1) !== ITEM) write(reader, ' ');
  write(reader, words);
  reader.lineEnds = 0;
  reader.isBlank = false;
}

function write(reader: Reader, part: string): void {
  reader.parts.push(part);
  reader.length += part.length;
}

function beginLink(reader: Reader, tag: string): void {
  const { parts, length, links } = reader;
  links.push({ address: attributeOf(tag, 'href'), part: parts.length, length });
}

/** Shows the address of a link behind its text, unless the text is the address. */
function endLink(reader: Reader): void {
  const link = reader.links.pop();
  if (link === undefined || link.address === '') return;
  const text = reader.length === link.length ? '' : textSince(reader, link);
  const { address } = link;
  if (text === address || text === address.replace(/^(?:mailto|tel):/i, '')) return;
  if (text === '') {
    append(reader, address);
    return;
  }
  // What stands before the next text stands after the address.
  write(reader, ` (${address})`);
}

/** Returns the text of a link. A text much longer than the address is not the address, so that its beginning is enough. */
function textSince({ parts, length }: Reader, { address, part, length: start }: Link): string {
  return length - start > address.length + 10 ? '…' : parts.slice(part).join('').trim();
}

function attributeOf(tag: string, name: string): string {
  const [, value = ''] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return decodeEntities(value);
}

function shortened(text: string): string {
  if (text.length <= MAX_CODE_POINTS) return text;
  const points = Array.from(text);
  return points.length <= MAX_CODE_POINTS ? text : `${points.slice(0, MAX_CODE_POINTS).join('')}…`;
}
