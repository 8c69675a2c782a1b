import { codePointLength } from '../../kernel/text/plain-text.js';
import { isInteger } from '../../kernel/number-input.js';
import { isImageUrl } from '../../kernel/text/url.js';
import { toInteger } from '../http/fields/coercion.js';

/** What the `image` of a write names: a stored image, the URL of one, or that there is none. */
export type ImageReference = { readonly id: number } | { readonly url: string } | 'none';

const LONGEST_URL = 2000;

/** Reads one of the forms of contract section 8, "Image"; undefined: it is none of them (contract EV-NEW-06). */
export function readImageReference(value: unknown): ImageReference | undefined {
  if (value === false) return 'none';
  const id = toInteger(value);
  if (isInteger(id)) return id === 0 ? 'none' : { id };
  return typeof value === 'string' ? readUrl(value) : readSentBack(value);
}

function readUrl(text: string): ImageReference | undefined {
  const url = text.toWellFormed().trim();
  return codePointLength(url) <= LONGEST_URL && isImageUrl(url) ? { url } : undefined;
}

/** An image as a response shows it; of its members the id counts. */
function readSentBack(value: unknown): ImageReference | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const id = toInteger(value.id);
  return isInteger(id) ? { id } : undefined;
}
