/** A unit of UTF-16 is one byte of JSON at least and six at most: `\u0001`. */
const MOST_BYTES_A_UNIT = 6;
const QUOTES = 2;

/** Whether a text as JSON, with its quotation marks and in UTF-8, has at most so many bytes. */
export function fitsAsJson(text: string, most: number): boolean {
  if (text.length * MOST_BYTES_A_UNIT + QUOTES <= most) return true;
  if (text.length + QUOTES > most) return false;
  return Buffer.byteLength(JSON.stringify(text)) <= most;
}
