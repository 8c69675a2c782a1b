/** A part of a body whose JSON is ready, in place of an object. Anything but `jsonOf` sees the object. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}

/** Returns the JSON of an object. */
export function jsonOf(value: object): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
