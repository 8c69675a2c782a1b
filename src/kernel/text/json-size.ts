/** A UTF-16 code unit takes one to six bytes of JSON: six as the escape `\u0001`. */
const MAX_BYTES_PER_UNIT = 6;
const QUOTE_BYTES = 2;

/** Whether a text as JSON in UTF-8, quotation marks included, has at most `maxBytes` bytes. */
export function fitsAsJson(text: string, maxBytes: number): boolean {
  if (text.length * MAX_BYTES_PER_UNIT + QUOTE_BYTES <= maxBytes) return true;
  if (text.length + QUOTE_BYTES > maxBytes) return false;
  return Buffer.byteLength(JSON.stringify(text)) <= maxBytes;
}
