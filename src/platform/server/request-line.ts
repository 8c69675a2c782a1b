import { percentEncoded } from './request-target.js';

const LINE_END = 0x0a;
const SPACE = 0x20;

/**
 * The methods of the interface. PROPPATCH comes first, because it ends in PATCH. No other method of Node's parser ends
 * in another one, so the match is unambiguous.
 */
const METHODS = ['PROPPATCH', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Returns where the request begins whose URL contains the byte `at`: at the method before the last space. Undefined if
 * the method is unknown or not in these bytes.
 */
export function requestStart(bytes: Buffer, at: number): number | undefined {
  let end = bytes.lastIndexOf(SPACE, at);
  // Several spaces between method and URL are allowed.
  while (end > 0 && bytes[end - 1] === SPACE) end -= 1;
  if (end < 0) return undefined;
  const method = METHODS.find(
    (name) => end >= name.length && bytes.toString('latin1', end - name.length, end) === name,
  );
  return method === undefined ? undefined : end - method.length;
}

/**
 * Returns method and Origin of the last request that begins in these bytes. Bytes without a request count as GET,
 * because nothing was written.
 */
export function senderIn(bytes: Buffer): { readonly method: string; readonly origin: string | undefined } {
  const text = bytes.toString('latin1');
  const line = [...text.matchAll(/^([A-Z]+) /gm)].at(-1);
  const origin = /^origin:[ \t]*([^\s]+)/im.exec(text.slice(line?.index ?? text.length))?.[1];
  return { method: line?.[1] ?? 'GET', origin };
}

/** Whether a request line may continue after these bytes: they do not end with a line end. */
export function mayBreakLine(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.at(-1) !== LINE_END;
}

/** Percent-encodes non-ASCII bytes of the first line and leaves the rest unchanged. */
export class LineEscaper {
  /** Bytes added so far. */
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
