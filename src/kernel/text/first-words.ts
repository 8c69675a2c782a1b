/** Half of a character of two UTF-16 units, at the end. */
const HALF = /[\ud800-\udbff]$/;

/** Returns a text of at most `max` UTF-16 units as it is, and of a longer one its first words with an ellipsis. */
export function firstWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max).replace(HALF, '');
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'));
  return `${(end === -1 ? cut : cut.slice(0, end)).trimEnd()}…`;
}
