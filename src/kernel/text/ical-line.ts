const MAX_LINE_OCTETS = 75;
const LINE_END = '\r\n';

/** A property of a calendar: its name with parameters, and its value as it stands in the line. */
export function icalLine(name: string, value: string): string {
  return `${folded(`${name}:${value}`)}${LINE_END}`;
}

/** Returns a TEXT value: `\`, `;`, `,` and line ends escaped, other control characters dropped (ical ICS-16). */
export function icalText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, escaped) : text;
}

/** Returns a parameter value in quotes. A quote in it becomes an apostrophe, because Outlook shows RFC 6868's `^'`. */
export function icalQuoted(text: string): string {
  return `"${text.replaceAll('"', "'").replace(/\p{Cc}/gu, ' ')}"`;
}

/** Returns a time as `20260329T020000`. */
export function icalTime(time: string): string {
  return time.replace(' ', 'T').replace(/[-:]/g, '');
}

const NEEDS_ESCAPE = /[\\;,\p{Cc}]/u;
const ESCAPED = /\r\n|[\\;,\p{Cc}]/gu;

function escaped(found: string): string {
  if (found === '\\' || found === ';' || found === ',') return `\\${found}`;
  return found === '\n' || found === '\r' || found === LINE_END ? '\\n' : '';
}

/** Folds a line after 75 octets, never inside a UTF-8 sequence (RFC 5545, 3.1). */
function folded(line: string): string {
  // A UTF-16 unit takes at most three octets.
  if (line.length * 3 <= MAX_LINE_OCTETS) return line;
  const octets = Buffer.byteLength(line);
  if (octets <= MAX_LINE_OCTETS) return line;
  return pieces(line, octets === line.length ? nextOfAscii : nextOfText).join(`${LINE_END} `);
}

type Next = (line: string, at: number, octets: number) => number;

function pieces(line: string, next: Next): string[] {
  const found: string[] = [];
  for (let at = 0; at < line.length;) {
    // The blank at the beginning of a continued line counts.
    const end = next(line, at, found.length === 0 ? MAX_LINE_OCTETS : MAX_LINE_OCTETS - 1);
    found.push(line.slice(at, end));
    at = end;
  }
  return found;
}

/** Returns the end of the piece that begins at an index and has at most this many octets. */
const nextOfAscii: Next = (_line, at, octets) => at + octets;

const nextOfText: Next = (line, at, octets) => {
  let end = at;
  for (let left = octets; end < line.length;) {
    const unit = line.charCodeAt(end);
    const isPair = unit >= 0xd800 && unit < 0xdc00;
    left -= isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (left < 0) break;
    end += isPair ? 2 : 1;
  }
  return end;
};
