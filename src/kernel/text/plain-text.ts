import { decodeHTMLStrict } from 'entities';
import { isKnownElement } from './known-elements.js';

/** The one-line text of titles, names and addresses; never entity-encoded (contract section 3, "Plain text"). */
export function plainText(value: string): string {
  return withoutTags(value.toWellFormed().replace(/\p{Cc}/gu, ' ')).trim();
}

/** Length as the limits of the contract count it (contract section 3, "Longest values"). */
export function codePointLength(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * Removes tags, and script and style with their content, until none is left; `<word>` that names no element is text
 * (contract TXT-02, TXT-03, TXT-12).
 */
export function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const stripper: Stripper = { text, at: 0, kept: [], lastEnd: text.lastIndexOf('>'), unclosed: new Map() };
  while (stripper.at <= stripper.lastEnd) step(stripper);
  // Behind the last > no tag is closed any more. What is kept before may end with the < of one.
  const { kept, at } = stripper;
  const open = kept.at(-1) === '<' ? kept.pop() : '';
  return kept.join('') + `${open}${text.slice(at)}`.replace(/<(?=[a-z/!?])/gi, '< ');
}

/** One pass from left to right. Repeating a replacement until nothing changes would be quadratic on hostile text. */
interface Stripper {
  text: string;
  at: number;
  kept: string[];
  lastEnd: number;
  /** Where in `kept` a script or style began whose end tag does not stand in the text as it was sent; Infinity: ended. */
  unclosed: Map<string, number>;
}

const TAG_START = /[a-z/!?]/i;
/** A lone word in <>, without the <: an end tag, an attribute or the dash of a custom element make it a tag. */
const WORD = /[\p{L}\p{M}\p{N}_]+(?=>)/uy;
const HIDING_TAG = /(\/?)(script|style)(?=[\s/>])/iy;
const END_TAG: Record<string, RegExp> = { script: /<\/script(?=[\s/>])/gi, style: /<\/style(?=[\s/>])/gi };

function step(stripper: Stripper): void {
  const { text, at, kept } = stripper;
  const char = text.charAt(at);
  // The < may stand before a tag just removed: both sides of it can make up a new one.
  if (kept.at(-1) === '<' && TAG_START.test(char) && !isText(stripper)) {
    kept.pop();
    stripper.at = text.indexOf('>', at) + 1;
    hideContent(stripper, at);
  } else {
    const end = char === '<' ? at + 1 : endOfRun(stripper);
    kept.push(text.slice(at, end));
    stripper.at = end;
  }
}

/** Whether what stands behind a < is a word and no tag (`c't <webdev>`). */
function isText({ text, at }: Stripper): boolean {
  WORD.lastIndex = at;
  const [word] = WORD.exec(text) ?? [];
  return word !== undefined && !isKnownElement(word);
}

/** Where the characters end that can be kept in one piece: at the next <. */
function endOfRun({ text, at, lastEnd }: Stripper): number {
  const next = text.indexOf('<', at);
  return next === -1 ? lastEnd + 1 : Math.min(next, lastEnd + 1);
}

function hideContent(stripper: Stripper, tagName: number): void {
  HIDING_TAG.lastIndex = tagName;
  const match = HIDING_TAG.exec(stripper.text);
  if (!match) return;
  const name = match[2]!.toLowerCase();
  if (match[1]) dropContent(stripper, name);
  else skipContent(stripper, name);
}

function skipContent(stripper: Stripper, name: string): void {
  const from = stripper.unclosed.get(name);
  // Once no end tag was found ahead none will be: searching again for each start tag would be quadratic.
  if (from !== undefined) return void stripper.unclosed.set(name, Math.min(from, stripper.kept.length));
  const endTag = END_TAG[name]!;
  endTag.lastIndex = stripper.at;
  const end = endTag.exec(stripper.text)?.index ?? Infinity;
  if (end < stripper.lastEnd) stripper.at = stripper.text.indexOf('>', end) + 1;
  else stripper.unclosed.set(name, stripper.kept.length);
}

function dropContent(stripper: Stripper, name: string): void {
  const { kept, unclosed } = stripper;
  kept.length = Math.min(kept.length, unclosed.get(name) ?? kept.length);
  if (unclosed.has(name)) unclosed.set(name, Infinity);
}

/** What follows an ampersand that begins a character entity. */
export const BEHIND_AMPERSAND = /^(?:#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/i;

/** Replaces character entities, `&eacute;` or `&#233;`, by their characters; without its semicolon none is one. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}
