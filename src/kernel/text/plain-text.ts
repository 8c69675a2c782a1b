import { decodeHTMLStrict } from 'entities';
import { isKnownElement } from './known-elements.js';

/** Returns the one-line text of titles, names and addresses, never entity-encoded (contract section 3, "Plain text"). */
export function plainText(value: string): string {
  return withoutTags(value.toWellFormed().replace(/\p{Cc}/gu, ' ')).trim();
}

/** Returns the length in code points, which the contract's limits count (contract section 3, "Longest values"). */
export function codePointLength(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * Removes tags, and script and style with their content, until none is left. A `<word>` that names no element is text
 * (contract TXT-02, TXT-03, TXT-12).
 */
export function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const stripper: Stripper = { text, at: 0, kept: [], lastEnd: text.lastIndexOf('>'), unclosed: new Map() };
  while (stripper.at <= stripper.lastEnd) step(stripper);
  // No tag ends after the last >. The text kept so far may end with the < of one.
  const { kept, at } = stripper;
  const open = kept.at(-1) === '<' ? kept.pop() : '';
  return kept.join('') + `${open}${text.slice(at)}`.replace(/<(?=[a-z/!?])/gi, '< ');
}

/** State of a single pass. Repeating a replacement until nothing changes would take quadratic time on hostile text. */
interface Stripper {
  text: string;
  at: number;
  kept: string[];
  lastEnd: number;
  /** Index in `kept` where a script or style without an end tag in the sent text began. Infinity: it has ended. */
  unclosed: Map<string, number>;
}

const TAG_START = /[a-z/!?]/i;
/** A single word before >. With a slash, an attribute or the hyphen of a custom element it is a tag instead. */
const WORD = /[\p{L}\p{M}\p{N}_]+(?=>)/uy;
const SCRIPT_OR_STYLE = /(\/?)(script|style)(?=[\s/>])/iy;
const END_TAG: Record<string, RegExp> = { script: /<\/script(?=[\s/>])/gi, style: /<\/style(?=[\s/>])/gi };

function step(stripper: Stripper): void {
  const { text, at, kept } = stripper;
  const char = text.charAt(at);
  // The last < may come from before a removed tag, because the text around a removed tag can form a new one.
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

/** Whether the text after a < is a word instead of a tag (`c't <webdev>`). */
function isText({ text, at }: Stripper): boolean {
  WORD.lastIndex = at;
  const [word] = WORD.exec(text) ?? [];
  return word !== undefined && !isKnownElement(word);
}

/** Returns the end of the text that can be kept in one piece: the index of the next <. */
function endOfRun({ text, at, lastEnd }: Stripper): number {
  const next = text.indexOf('<', at);
  return next === -1 ? lastEnd + 1 : Math.min(next, lastEnd + 1);
}

function hideContent(stripper: Stripper, tagName: number): void {
  SCRIPT_OR_STYLE.lastIndex = tagName;
  const match = SCRIPT_OR_STYLE.exec(stripper.text);
  if (!match) return;
  const name = match[2]!.toLowerCase();
  if (match[1]) dropContent(stripper, name);
  else skipContent(stripper, name);
}

function skipContent(stripper: Stripper, name: string): void {
  const from = stripper.unclosed.get(name);
  // One search that found no end tag is enough: a search for each start tag takes quadratic time.
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

/** The rest of a character entity after its ampersand. */
export const ENTITY_AFTER_AMPERSAND = /^(?:#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/i;

/** Each ampersand that begins no character entity. */
export const BARE_AMPERSAND = new RegExp(`&(?!${ENTITY_AFTER_AMPERSAND.source.slice(1)})`, 'gi');

/** Decodes character entities, `&eacute;` or `&#233;`. The semicolon is required. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}
