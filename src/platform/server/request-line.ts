import { percentEncoded } from './request-target.js';

const LINE_END = 0x0a;
const SPACE = 0x20;

/**
 * Ours, and before them the one method of Node's parser that ends in one of ours. Else none ends in another one, so the
 * letters of a body before them cannot be taken for a part of them.
 */
const METHODS = ['PROPPATCH', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Where the request begins whose address holds the byte `at`, in bytes that the parser has taken up to there: behind its
 * method there is nothing but the address. Undefined where the method is not one of ours, or lies before these bytes.
 */
export function requestStart(bytes: Buffer, at: number): number | undefined {
  let end = bytes.lastIndexOf(SPACE, at);
  // Several blanks between method and address are allowed.
  while (end > 0 && bytes[end - 1] === SPACE) end -= 1;
  if (end < 0) return undefined;
  const method = METHODS.find(
    (name) => end >= name.length && bytes.toString('latin1', end - name.length, end) === name,
  );
  return method === undefined ? undefined : end - method.length;
}

/**
 * Method and Origin of the last request that begins in these bytes, as far as they tell. What begins no request is taken
 * for a read: nothing of it was carried out.
 */
export function senderIn(bytes: Buffer): { readonly method: string; readonly origin: string | undefined } {
  const text = bytes.toString('latin1');
  const line = [...text.matchAll(/^([A-Z]+) /gm)].at(-1);
  const origin = /^origin:[ \t]*([^\s]+)/im.exec(text.slice(line?.index ?? text.length))?.[1];
  return { method: line?.[1] ?? 'GET', origin };
}

/** Whether a request line may go on behind these bytes: no address holds a line end. */
export function mayBreakLine(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.at(-1) !== LINE_END;
}

/** Percent-encodes what is not ASCII in the first line of a request, and leaves all that follows as it is. */
export class LineEscaper {
  /** How many bytes were added so far. */
  added = 0;
  private inLine = true;

  escape(bytes: Buffer): Buffer {
    if (!this.inLine) return bytes;
    const end = bytes.indexOf(LINE_END);
    this.inLine = end < 0;
    const line = this.inLine ? bytes : bytes.subarray(0, end);
    const escaped = percentEncoded(line, (byte) => byte >= 0x80);
    this.added += escaped.length - line.length;
    return this.inLine ? escaped : Buffer.concat([escaped, bytes.subarray(end)]);
  }
}
