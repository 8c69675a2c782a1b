import { codePointLength } from '../../kernel/text/plain-text.js';
import { isInteger } from '../../kernel/number-input.js';
import { isImageUrl } from '../../kernel/text/url.js';
import { toInteger } from '../http/fields/coercion.js';

/** The `image` of a write: the id of a stored image, a URL, or no image. */
export type ImageReference = { readonly id: number } | { readonly url: string } | 'none';

const MAX_URL_CHARACTERS = 2000;

/** Parses a form of contract section 8, "Image". Returns undefined for another value (contract EV-NEW-06). */
export function readImageReference(value: unknown): ImageReference | undefined {
  if (value === false) return 'none';
  const id = toInteger(value);
  if (isInteger(id)) return id === 0 ? 'none' : { id };
  return typeof value === 'string' ? readUrl(value) : readSentBack(value);
}

function readUrl(text: string): ImageReference | undefined {
  const url = text.toWellFormed().trim();
  return codePointLength(url) <= MAX_URL_CHARACTERS && isImageUrl(url) ? { url } : undefined;
}

/** Parses an image object of a response. Only its id counts. */
function readSentBack(value: unknown): ImageReference | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const id = toInteger(value.id);
  return isInteger(id) ? { id } : undefined;
}
