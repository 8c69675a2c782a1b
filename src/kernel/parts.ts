export interface PartBounds<Item> {
  readonly sizeOf: (item: Item) => number;
  /** The most that the sizes of a part may add up to; an item larger than that is a part of its own. */
  readonly largest: number;
  /** How many items a part may have. */
  readonly most?: number;
}

/** The items in parts, in order, each as long as the bounds allow. */
export function partsWithin<Item>(
  items: readonly Item[],
  { sizeOf, largest, most = Infinity }: PartBounds<Item>,
): Item[][] {
  const parts: Item[][] = [];
  let total = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = parts.at(-1);
    if (last !== undefined && last.length < most && total + size <= largest) {
      last.push(item);
      total += size;
    } else {
      parts.push([item]);
      total = size;
    }
  }
  return parts;
}
