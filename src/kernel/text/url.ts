// The URL parser accepts `http:/x`, `http:///x` and `http:x`, so the pattern checks the start first.
const HIERARCHICAL = /^(?:https?|ftp):\/\/[^/?#]/iu;
const IMAGE = /^https?:/iu;
const MAILTO = /^mailto:/iu;

/** Whether a trimmed text is a valid `website` (contract section 3, "Web addresses"; TXT-09). */
export function isWebAddress(text: string): boolean {
  if (!hasOnlyUrlCharacters(text)) return false;
  if (MAILTO.test(text)) return isMailto(text);
  return HIERARCHICAL.test(text) && isUrl(text);
}

/** Whether a trimmed text is a valid URL of an image (contract section 3, "Image URL"; EV-NEW-06). */
export function isImageUrl(text: string): boolean {
  return IMAGE.test(text) && isWebAddress(text);
}

/** Whether a text parses as a URL. `URL.canParse` of Node 20 and 22, once compiled, rejects hosts such as `münchen.example`. */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

// Browsers read a backslash as a slash and other clients do not: they would see different hosts.
function hasOnlyUrlCharacters(text: string): boolean {
  return !/[\s\p{Cc}\\]/u.test(text);
}

function isMailto(text: string): boolean {
  const [addresses = ''] = text.slice('mailto:'.length).split(/[?#]/u, 1);
  return addresses.split(',').every(isEmail);
}

/** Whether a trimmed text is an e-mail address (contract section 3, "E-mail"; VO-23). */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@', 3);
  if (more.length > 0 || !/^[^\s\p{Cc}]{1,64}$/u.test(local)) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

/** Removes trailing slashes. A regular expression would take quadratic time on a row of slashes. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.endsWith('/', end)) end -= 1;
  return text.slice(0, end);
}
