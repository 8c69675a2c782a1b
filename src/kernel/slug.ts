import { decodeEntities } from './entities.js';
import { replaceLetters } from './fold.js';
import { plainText } from './plain-text.js';

/** The slug made of a name or of a sent slug; `''` when nothing remains (contract section 3, "Slugs"; TXT-06). */
export function slugify(text: string): string {
  const hyphenated = withoutDiacritics(decodeEntities(plainText(text).replace(WORD_IN_BRACKETS, ''))).replace(
    SEPARATORS,
    '-',
  );
  const slug = (hyphenated.match(KEPT) ?? []).join('').normalize('NFC').replace(/-+/g, '-');
  return cut(slug, MAX_LENGTH).replace(/^-|-$/g, '');
}

/** The n-th slug of the same name; the first is the slug itself (contract TXT-07). */
export function suffixedSlug(slug: string, n: number): string {
  if (n === 1) return slug;
  const suffix = `-${n}`;
  return cut(slug, MAX_LENGTH - suffix.length).replace(/-$/, '') + suffix;
}

/** The slug shown in the trash, the n-th of its kind; it alone may exceed the limit (contract section 4). */
export function trashedSlug(slug: string, n = 1): string {
  return `${slug}__trashed${n > 1 ? `-${n}` : ''}`;
}

/** The form in which slugs of paths, filters and links are looked up (contract TXT-08). */
export function lookupSlug(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const MAX_LENGTH = 200;

/** In a slug `<done>` is as little as any other tag (contract TXT-06), though it is text in a name. */
const WORD_IN_BRACKETS = /<[A-Za-z][\p{L}\p{M}\p{N}_]*>/gu;

/** Blanks, slashes, dots and dashes, among them the minus sign and the hyphen bullet, which Unicode counts elsewhere. */
const SEPARATORS = /[\s/.\\\p{Pd}\u2212\u2043]/gu;

/** A mark counts with the letter or digit that it stands on; alone it is what remains of an emoji. */
const KEPT = /[\p{L}\p{Nd}\p{Nl}]\p{M}*|[_-]/gu;

/** Presentation selectors and the keycap: marks to Unicode, part of an emoji to readers. */
const EMOJI_MARKS = /[\ufe0e\ufe0f\u20e3]/g;

function withoutDiacritics(text: string): string {
  const bare = text
    .toLowerCase()
    .replace(EMOJI_MARKS, '')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1');
  return replaceLetters(bare).normalize('NFC');
}

function cut(slug: string, length: number): string {
  // Of few code units there are no more code points.
  return slug.length <= length ? slug : Array.from(slug).slice(0, length).join('');
}
