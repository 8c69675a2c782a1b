import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  parseTree,
  type ParseError,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Line } from './line.js';

/** A place in a file. Lines and columns are counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The names and indexes of the members around a value. */
export type Path = readonly (string | number)[];

/** What JSON must have at the place of an error, by the parser's name of the error. */
const EXPECTED: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value: text in double quotes, a number, true, false, null, an object or a list',
  ValueExpected: 'a value: text in double quotes, a number, true, false, null, an object or a list',
  InvalidNumberFormat: 'a number',
  UnexpectedEndOfNumber: 'a digit',
  PropertyNameExpected: 'the name of a member in double quotes',
  ColonExpected: 'a colon',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a closing brace }',
  CloseBracketExpected: 'a closing bracket ]',
  EndOfFileExpected: 'the end',
  UnexpectedEndOfString: 'a closing quote',
  InvalidUnicode: 'four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'an escape such as \\n or \\"',
  InvalidCharacter: 'no control character: a line end is written \\n',
  InvalidCommentToken: 'no comment',
};

/** The text of a line, to find its members in. Only for errors, because it parses the text once more. */
export class JsonText {
  private readonly text: string;
  private readonly errors: ParseError[] = [];
  private readonly root: Node | undefined;

  constructor(private readonly line: Line) {
    this.text = new TextDecoder().decode(line.original ?? line.bytes);
    this.root = parseTree(this.text, this.errors, { disallowComments: true });
  }

  /** Returns the first place that is not JSON, and what JSON must have there. */
  fault(): { readonly place: Place; readonly expected: string | undefined } | undefined {
    const [first] = this.errors;
    if (first === undefined) return undefined;
    return { place: this.placeAt(first.offset), expected: EXPECTED[printParseErrorCode(first.error)] };
  }

  /** Returns the value at a path, or undefined. */
  valueAt(path: Path): unknown {
    const node = this.nodeAt(path);
    return node && (getNodeValue(node) as unknown);
  }

  /** Returns the place of the value at a path; if it is absent, that of the nearest value around it. */
  placeOf(path: Path): Place {
    const node = this.nodeAt(path);
    if (node === undefined && path.length > 0) return this.placeOf(path.slice(0, -1));
    return this.placeAt(node?.offset ?? 0);
  }

  private nodeAt(path: Path): Node | undefined {
    return this.root && findNodeAtLocation(this.root, [...path]);
  }

  private placeAt(offset: number): Place {
    const before = this.text.slice(0, offset);
    const lines = before.split('\n');
    const start = lines.length === 1 ? (this.line.column ?? 1) : 1;
    return { line: this.line.number + lines.length - 1, column: start + (lines.at(-1) ?? '').length };
  }
}
