/** The number of consecutive ids in a block. */
const BLOCK_SIZE = 16_384;
const BITMAP_BYTES = BLOCK_SIZE / 8;
/** The size of the largest stored set of a block: a bitmap, which is known by this size. */
export const MAX_STORED_BYTES = BITMAP_BYTES;

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK_SIZE);
}

/** Returns the place of an id within its block. */
export function placeOf(id: number): number {
  return id % BLOCK_SIZE;
}

/** Returns the ids of a block: `from` is included, `to` is not. */
export function idRange(block: number): [from: number, to: number] {
  return [block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE];
}

/** Returns ascending places of a block as they are stored: the distances from each to the next, or a bitmap if that is shorter. */
export function encodePlaces(places: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let next = 0;
  for (const place of places) {
    const distance = place - next;
    next = place + 1;
    if (distance < 0x80) bytes.push(distance);
    else bytes.push(0x80 | (distance & 0x7f), distance >> 7);
    if (bytes.length >= BITMAP_BYTES) return bitmapOf(places);
  }
  return Uint8Array.from(bytes);
}

/** Returns the ascending places of a stored set. */
export function decodePlaces(stored: Uint8Array): number[] {
  if (stored.length === BITMAP_BYTES) return placesIn(stored);
  const places: number[] = [];
  for (let at = 0, next = 0; at < stored.length; at += 1) {
    const low = stored[at] as number;
    if (low >= 0x80) at += 1;
    const place = next + (low < 0x80 ? low : (low & 0x7f) | ((stored[at] as number) << 7));
    places.push(place);
    next = place + 1;
  }
  return places;
}

/** Whether a stored set has all of these places. */
export function hasPlaces(stored: Uint8Array, places: readonly number[]): boolean {
  if (stored.length === BITMAP_BYTES) return places.every((place) => isMarked(stored, place));
  const known = new Set(decodePlaces(stored));
  return places.every((place) => known.has(place));
}

/** Returns the union of ascending places and others, ascending, each once. */
export function withPlaces(places: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...places, ...others])].sort((a, b) => a - b);
}

function bitmapOf(places: readonly number[]): Uint8Array {
  const bitmap = new Uint8Array(BITMAP_BYTES);
  for (const place of places) mark(bitmap, place);
  return bitmap;
}

function isMarked(bitmap: Uint8Array, place: number): boolean {
  return ((bitmap[place >> 3] as number) & (1 << (place & 7))) !== 0;
}

function mark(bitmap: Uint8Array, place: number): void {
  bitmap[place >> 3] = (bitmap[place >> 3] as number) | (1 << (place & 7));
}

function placesIn(bitmap: Uint8Array): number[] {
  const places: number[] = [];
  for (let byte = 0; byte < bitmap.length; byte += 1) {
    for (let bits = bitmap[byte] as number, place = byte * 8; bits !== 0; bits >>= 1, place += 1) {
      if ((bits & 1) !== 0) places.push(place);
    }
  }
  return places;
}

/** A set of events: a bitmap for each block that has some. */
export class EventSet {
  private readonly blocks = new Map<number, Uint8Array>();
  /** undefined: not counted since the last change. */
  private counted: number | undefined;

  static of(ids: Iterable<number>): EventSet {
    const set = new EventSet();
    for (const id of ids) mark(set.bitmap(blockOf(id)), placeOf(id));
    return set;
  }

  /** Adds a stored set of a block. */
  addStored(block: number, stored: Uint8Array): void {
    const bitmap = this.bitmap(block);
    this.counted = undefined;
    if (stored.length !== BITMAP_BYTES) for (const place of decodePlaces(stored)) mark(bitmap, place);
    else for (let byte = 0; byte < BITMAP_BYTES; byte += 1) bitmap[byte] = bitmap[byte]! | stored[byte]!;
  }

  has(id: number): boolean {
    const bitmap = this.blocks.get(blockOf(id));
    return bitmap !== undefined && isMarked(bitmap, placeOf(id));
  }

  get size(): number {
    return (this.counted ??= this.count());
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.blocks.size * BITMAP_BYTES;
  }

  /** Returns the ids, ascending. */
  ids(): number[] {
    const blocks = [...this.blocks].sort(([a], [b]) => a - b);
    return blocks.flatMap(([block, bitmap]) => placesIn(bitmap).map((place) => block * BLOCK_SIZE + place));
  }

  /** Returns the events that are in this set and in the other. */
  and(other: EventSet): EventSet {
    return this.combined(other, (mine, theirs) => mine & theirs);
  }

  /** Returns the events that are in this set and not in the other. */
  without(other: EventSet): EventSet {
    return this.combined(other, (mine, theirs) => mine & ~theirs);
  }

  /** Returns the events that are in one of the sets, or in both. */
  or(other: EventSet): EventSet {
    const set = this.combined(other, (mine, theirs) => mine | theirs);
    for (const [block, bitmap] of other.blocks) if (!set.blocks.has(block)) set.blocks.set(block, bitmap.slice());
    return set;
  }

  private count(): number {
    let size = 0;
    for (const bitmap of this.blocks.values()) for (const byte of bitmap) size += BITS_OF[byte] as number;
    return size;
  }

  private combined(other: EventSet, combine: (mine: number, theirs: number) => number): EventSet {
    const set = new EventSet();
    for (const [block, mine] of this.blocks) {
      const theirs = other.blocks.get(block) ?? NONE;
      set.blocks.set(
        block,
        mine.map((byte, at) => combine(byte, theirs[at] as number)),
      );
    }
    return set;
  }

  private bitmap(block: number): Uint8Array {
    const known = this.blocks.get(block);
    if (known !== undefined) return known;
    const bitmap = new Uint8Array(BITMAP_BYTES);
    this.blocks.set(block, bitmap);
    return bitmap;
  }
}

const NONE = new Uint8Array(BITMAP_BYTES);
/** How many bits of each byte are set. */
const BITS_OF = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
