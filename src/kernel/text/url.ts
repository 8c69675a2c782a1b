// The URL parser forgives `http:/x`, `http:///x` and `http:x`, so that the start is checked before it.
const HIERARCHICAL = /^(?:https?|ftp):\/\/[^/?#]/iu;
const IMAGE = /^https?:/iu;
const MAILTO = /^mailto:/iu;

/** Whether a trimmed text may be a `website`: contract section 3, "Web addresses", and TXT-09. */
export function isWebAddress(text: string): boolean {
  if (!hasOnlyUrlCharacters(text)) return false;
  if (MAILTO.test(text)) return isMailto(text);
  return HIERARCHICAL.test(text) && isUrl(text);
}

/** Whether a trimmed text may be the URL of an image: contract section 3, "Image URL", and EV-NEW-06. */
export function isImageUrl(text: string): boolean {
  return IMAGE.test(text) && isWebAddress(text);
}

/** Whether URLs are written like this. `URL.canParse` of Node 20 and 22, once compiled, refuses hosts such as `münchen.example`. */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

// A backslash is a slash to browsers and a letter to others, who would then see another host.
function hasOnlyUrlCharacters(text: string): boolean {
  return !/[\s\p{Cc}\\]/u.test(text);
}

function isMailto(text: string): boolean {
  const [addresses = ''] = text.slice('mailto:'.length).split(/[?#]/u, 1);
  return addresses.split(',').every(isEmail);
}

/** Whether a trimmed text is an e-mail address: contract section 3, "E-mail", and VO-23. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@', 3);
  if (more.length > 0 || !/^[^\s\p{Cc}]{1,64}$/u.test(local)) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

/** A text without the slashes at its end. The pattern for it would look at the rest of a row of slashes from each of them. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.endsWith('/', end)) end -= 1;
  return text.slice(0, end);
}
