/** So many ids, one after the other, are a block: a slice has a bit for each. */
const BLOCK = 4096;
export const SLICE_BYTES = BLOCK / 8;

/** Which ids of a block have something in common. */
export type Slice = Uint8Array;

export function newSlice(): Slice {
  return new Uint8Array(SLICE_BYTES);
}

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** The ids of a block: from the first up to, but not including, the second. */
export function idsOf(block: number): [from: number, to: number] {
  return [block * BLOCK, (block + 1) * BLOCK];
}

/** Marks an id in a slice of its block; answers whether that is new. */
export function mark(slice: Slice, id: number): boolean {
  const place = id % BLOCK;
  const bit = 1 << (place & 7);
  const bits = slice[place >> 3] ?? 0;
  slice[place >> 3] = bits | bit;
  return (bits & bit) === 0;
}

/** The ids, in order, that all of these slices of a block have marked. */
export function markedInAll(block: number, slices: readonly Slice[]): number[] {
  const ids: number[] = [];
  for (let byte = 0; byte < SLICE_BYTES; byte += 1) {
    const bits = slices.reduce((common, slice) => common & (slice[byte] ?? 0), 0xff);
    for (let bit = 0; bits >> bit !== 0; bit += 1) {
      if ((bits >> bit) & 1) ids.push(block * BLOCK + byte * 8 + bit);
    }
  }
  return ids;
}
