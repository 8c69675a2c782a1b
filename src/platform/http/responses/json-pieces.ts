/**
 * The JSON of an answer, piece by piece: a member, or of its `list` an item, at a time. Joined they are what JSON.stringify
 * makes of it. Items are taken out of the list: what is JSON already need not be held twice.
 */
export function* jsonPieces(body: object, list: string | undefined): Generator<string, void> {
  if (list === undefined) {
    yield JSON.stringify(body);
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

/** How many characters all texts of a value have: its JSON has as many bytes at least. */
export function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + charactersIn(member), 0);
}

function* takeItems(items: object[]): Generator<string, void> {
  if (items.length === 0) yield '[';
  for (let separator = '['; items.length > 0; separator = ',') yield separator + JSON.stringify(items.shift());
  yield ']';
}
