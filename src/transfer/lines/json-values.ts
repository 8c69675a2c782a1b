import type { Line } from './line.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const OPENING = new Set([OPEN_BRACE, OPEN_BRACKET]);
const CLOSING = new Set([0x7d, 0x5d]);
const BLANK = new Set([0x20, 0x09, 0x0d, NEWLINE]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface Splitter {
  push(chunk: Buffer): Line[];
  end(): Line[];
}

/**
 * Splits a text, which comes in chunks, into its values: the items of a JSON array, or JSON lines. Truncates a longer value to
 * `maxBytes` + 1.
 */
export class ValueSplitter implements Splitter {
  private splitter: Splitter | undefined;
  /** The blank start of the text, which does not tell yet what follows. */
  private start: Buffer = Buffer.alloc(0);

  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): Line[] {
    if (this.splitter !== undefined) return this.splitter.push(chunk);
    this.start = Buffer.concat([this.start, chunk]);
    const first = this.start.find((byte) => !BLANK.has(byte) && !BYTE_ORDER_MARK.includes(byte));
    if (first === undefined) return [];
    this.splitter = first === OPEN_BRACKET ? new ArraySplitter(this.maxBytes) : new LineSplitter(this.maxBytes);
    return this.splitter.push(this.start);
  }

  end(): Line[] {
    return this.splitter?.end() ?? [];
  }
}

/** Collects the bytes of a value, up to a limit. */
class Collector {
  private parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  add(part: Buffer): void {
    if (this.length <= this.maxBytes && part.length > 0)
      this.parts.push(part.subarray(0, this.maxBytes + 1 - this.length));
    this.length += part.length;
  }

  take(): Buffer {
    const bytes = this.parts.length === 1 ? (this.parts[0] as Buffer) : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return bytes;
  }
}

/**
 * Splits JSON lines. A line with nothing but `{` begins a pretty-printed object, which ends with its closing brace. If that is
 * missing, the object ends before the next line that begins with `{`, so that a broken object does not hide the others.
 */
class LineSplitter implements Splitter {
  private number = 1;
  private readonly rest: Collector;
  private readonly object: Collector;
  private objectStart = 0;
  private depth = 0;

  constructor(maxBytes: number) {
    this.rest = new Collector(maxBytes);
    this.object = new Collector(maxBytes);
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.rest.add(chunk.subarray(from, to));
      this.addLine(this.rest.take(), lines);
      from = to + 1;
    }
    this.rest.add(chunk.subarray(from));
    return lines;
  }

  end(): Line[] {
    const lines: Line[] = [];
    this.addLine(this.rest.take(), lines);
    if (this.depth > 0) this.endObject(lines);
    return lines;
  }

  private addLine(bytes: Buffer, lines: Line[]): void {
    const number = this.number;
    this.number += 1;
    if (this.depth > 0 && bytes[0] === OPEN_BRACE) this.endObject(lines);
    if (this.depth === 0 && !isOnlyBrace(bytes)) {
      if (!isBlank(bytes)) lines.push({ number, bytes });
      return;
    }
    if (this.depth === 0) this.objectStart = number;
    else this.object.add(Buffer.of(NEWLINE));
    this.object.add(bytes);
    this.depth += depthChange(bytes);
    if (this.depth <= 0) this.endObject(lines);
  }

  private endObject(lines: Line[]): void {
    lines.push({ number: this.objectStart, bytes: this.object.take() });
    this.depth = 0;
  }
}

/** Splits JSON arrays into their items. Arrays may follow each other. */
class ArraySplitter implements Splitter {
  private number = 1;
  private column = 0;
  /** 0: outside of the array, 1: between its items, or in an item that is no object. */
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private item: { readonly number: number; readonly column: number } | undefined;
  private readonly bytes: Collector;

  constructor(maxBytes: number) {
    this.bytes = new Collector(maxBytes);
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    const endItem = (to: number) => {
      this.bytes.add(chunk.subarray(from, to));
      lines.push(this.takeItem());
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      this.countColumn(byte);
      if (this.isInText) this.followText(byte);
      else if (this.item === undefined) {
        if (this.isBetweenItems(byte)) continue;
        this.item = { number: this.number, column: this.column };
        from = at;
        this.open(byte);
      } else if (this.depth <= 1 && this.endsSimpleItem(byte)) endItem(at);
      else if (CLOSING.has(byte)) {
        this.depth -= 1;
        if (this.depth === 1) endItem(at + 1);
      } else this.open(byte);
      if (byte === NEWLINE) [this.number, this.column] = [this.number + 1, 0];
    }
    if (this.item !== undefined) this.bytes.add(chunk.subarray(from));
    return lines;
  }

  end(): Line[] {
    if (this.item !== undefined) return [this.takeItem()];
    return this.depth === 0 ? [] : [{ number: this.number, bytes: Buffer.alloc(0), fault: NO_END }];
  }

  /** Counts characters. The further bytes of a character in UTF-8 are 10xxxxxx. */
  private countColumn(byte: number): void {
    if ((byte & 0xc0) !== 0x80) this.column += 1;
  }

  /** A text ends with its quote, at the latest with the line, so that a missing quote does not hide further items. */
  private followText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE || byte === NEWLINE) this.isInText = false;
  }

  private open(byte: number): void {
    if (byte === QUOTE) this.isInText = true;
    else if (OPENING.has(byte)) this.depth += 1;
  }

  private isBetweenItems(byte: number): boolean {
    const isBetween = BLANK.has(byte) || byte === COMMA || BYTE_ORDER_MARK.includes(byte);
    if (isBetween && byte === NEWLINE) [this.number, this.column] = [this.number + 1, 0];
    if (isBetween) return true;
    if (this.depth === 0 && byte === OPEN_BRACKET) this.depth = 1;
    else if (this.depth === 1 && CLOSING.has(byte)) this.depth = 0;
    else return false;
    return true;
  }

  /** Whether an item that is no object, or anything outside of the array, ends before this byte. */
  private endsSimpleItem(byte: number): boolean {
    if (this.depth === 0) return byte === NEWLINE;
    if (CLOSING.has(byte)) this.depth = 0;
    return byte === COMMA || CLOSING.has(byte);
  }

  private takeItem(): Line {
    const { number, column } = this.item as { number: number; column: number };
    this.item = undefined;
    return { number, column, bytes: this.bytes.take() };
  }
}

const NO_END = 'the array has no end: the file may be incomplete.';

function isOnlyBrace(bytes: Buffer): boolean {
  return bytes.toString('latin1').trim() === '{';
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => BLANK.has(byte));
}

/** Returns how many objects and arrays a line opens and does not close. Texts do not go on in the next line. */
function depthChange(bytes: Buffer): number {
  let change = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isInText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isInText = !isInText;
    else if (!isInText && OPENING.has(byte)) change += 1;
    else if (!isInText && CLOSING.has(byte)) change -= 1;
  }
  return change;
}
