import { jsonOf } from './json-text.js';

/**
 * Yields the JSON of a body in chunks: one per member, and one per item of `list`. Joined they equal JSON.stringify.
 * Removes the items from the list, because an item that is rendered already need not stay in memory twice.
 */
export function* jsonChunks(body: object, list: string | undefined): Generator<string, void> {
  if (list === undefined) {
    yield jsonOf(body);
    return;
  }
  let separator = '{';
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (name === list && Array.isArray(value)) yield* takeItems(value as object[]);
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

/** Returns the characters of all strings in a value, which is a lower bound of its JSON in bytes. */
export function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + countCharacters(member), 0);
}

function* takeItems(items: object[]): Generator<string, void> {
  if (items.length === 0) yield '[';
  for (let separator = '['; items.length > 0; separator = ',') yield separator + jsonOf(items.shift()!);
  yield ']';
}
