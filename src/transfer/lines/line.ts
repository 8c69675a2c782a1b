/** One value of a file: mostly a line, else an item of an array or an object of several lines. */
export interface Line {
  /** The number of the line in which it begins, from 1. */
  readonly number: number;
  /** The column in which it begins, from 1, if that is not the first one. */
  readonly column?: number;
  readonly bytes: Buffer;
  /** The bytes in the file, if `bytes` has been made of them. */
  readonly original?: Buffer;
  /** Why the value cannot be read. */
  readonly fault?: string;
  /** The key of the line, unless it is made of the content. */
  readonly key?: string;
}
