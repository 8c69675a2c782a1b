/** A text without the slashes at its end. The pattern for it would look at the rest of a row of slashes from each of them. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.endsWith('/', end)) end -= 1;
  return text.slice(0, end);
}
