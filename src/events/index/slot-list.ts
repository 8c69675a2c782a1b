import { type EventColumns, KEPT, LOCKED, OPEN } from './event-columns.js';

/** Events in a chunk. Changing an event moves at most so many numbers, and a count skips so many events at once. */
const MAX_CHUNK_SIZE = 1_024;
/** Events in a chunk that is filled from its end. They leave room for later events, so that few chunks must be split. */
const FILLED_CHUNK_SIZE = 768;
/** Two chunks that have fewer events together become one. */
const MIN_CHUNK_PAIR = 512;
const FIRST_CAPACITY = 4;

/** Events that follow each other in a list. */
export interface Chunk {
  slots: Uint32Array;
  size: number;
  /** The number of events that each of `OPEN`, `LOCKED` and `KEPT` counts. */
  open: number;
  locked: number;
  kept: number;
  /** The earliest and the latest end. */
  minEnd: number;
  maxEnd: number;
}

/** Events in list order: by start, then by id. Chunks know how many of their events are listed. */
export class SlotList {
  readonly chunks: Chunk[] = [];
  size = 0;

  constructor(private readonly columns: EventColumns) {}

  /** Adds the event that comes after all others. `countedAs`: what its columns say. */
  append(slot: number, countedAs = this.columns.countedAs(slot)): void {
    let last = this.chunks[this.chunks.length - 1];
    if (last === undefined || last.size >= FILLED_CHUNK_SIZE) this.chunks.push((last = emptyChunk(FIRST_CAPACITY)));
    this.put(last, last.size, slot, countedAs);
  }

  /** Adds an event, which the list must not have. */
  insert(slot: number): void {
    const chunk = Math.min(this.chunkFor(slot), Math.max(this.chunks.length - 1, 0));
    this.insertAt(chunk, this.placeIn(this.chunks[chunk], slot), slot);
  }

  /** Removes an event. Its columns must be those with which it was added. */
  remove(slot: number): void {
    const at = this.chunkFor(slot);
    const chunk = this.chunks[at];
    const place = this.placeIn(chunk, slot);
    if (chunk?.slots[place] !== slot || place >= chunk.size) throw new Error('The list of an index lacks an event.');
    chunk.slots.copyWithin(place, place + 1, chunk.size);
    chunk.size -= 1;
    this.size -= 1;
    count(chunk, this.columns.countedAs(slot), -1);
    const end = this.columns.ends[slot];
    if (chunk.size === 0) this.chunks.splice(at, 1);
    else if (end === chunk.minEnd || end === chunk.maxEnd) this.readEnds(chunk);
    this.joinSmall(at);
    this.joinSmall(at - 1);
  }

  /** Moves an event that the list has from one count to others. */
  recount(slot: number, before: number): void {
    const chunk = this.chunks[this.chunkFor(slot)] as Chunk;
    count(chunk, before, -1);
    count(chunk, this.columns.countedAs(slot), 1);
  }

  has(slot: number): boolean {
    const chunk = this.chunks[this.chunkFor(slot)];
    return chunk?.slots[this.placeIn(chunk, slot)] === slot;
  }

  /** Returns the number of the first chunk whose last event starts at `start` or later. */
  firstChunkFrom(start: number): number {
    let [low, high] = [0, this.chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lastStartOf(this.chunks[middle] as Chunk) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  firstStartOf(chunk: Chunk): number {
    return this.columns.starts[chunk.slots[0] as number] as number;
  }

  lastStartOf(chunk: Chunk): number {
    return this.columns.starts[chunk.slots[chunk.size - 1] as number] as number;
  }

  /** Yields all events in order. */
  *all(): Generator<number> {
    for (const { slots, size } of this.chunks)
      for (let place = 0; place < size; place += 1) yield slots[place] as number;
  }

  /** Returns the number of the first chunk whose last event is this one or comes after it. */
  private chunkFor(slot: number): number {
    let [low, high] = [0, this.chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { slots, size } = this.chunks[middle] as Chunk;
      if (this.columns.compare(slots[size - 1] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the place of the first event in a chunk that is this one or comes after it. */
  private placeIn(chunk: Chunk | undefined, slot: number): number {
    if (chunk === undefined) return 0;
    let [low, high] = [0, chunk.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.columns.compare(chunk.slots[middle] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private insertAt(at: number, place: number, slot: number): void {
    let chunk = this.chunks[at];
    if (chunk === undefined) this.chunks[at] = chunk = emptyChunk(FIRST_CAPACITY);
    else if (chunk.size === MAX_CHUNK_SIZE) return this.insertIntoFull(at, place, slot);
    this.put(chunk, place, slot, this.columns.countedAs(slot));
  }

  /** Adds an event to a chunk that is not full. */
  private put(chunk: Chunk, place: number, slot: number, countedAs: number): void {
    if (chunk.size === chunk.slots.length) widen(chunk);
    if (place < chunk.size) chunk.slots.copyWithin(place + 1, place, chunk.size);
    chunk.slots[place] = slot;
    chunk.size += 1;
    this.size += 1;
    count(chunk, countedAs, 1);
    const end = this.columns.ends[slot] as number;
    if (end < chunk.minEnd) chunk.minEnd = end;
    if (end > chunk.maxEnd) chunk.maxEnd = end;
  }

  /** Begins a new chunk at the end of the list. Elsewhere it splits the full chunk. */
  private insertIntoFull(at: number, place: number, slot: number): void {
    if (at === this.chunks.length - 1 && place === MAX_CHUNK_SIZE) return this.insertAt(at + 1, 0, slot);
    const { slots } = this.chunks[at] as Chunk;
    const half = MAX_CHUNK_SIZE / 2;
    this.chunks.splice(at, 1, this.chunkOf(slots.subarray(0, half)), this.chunkOf(slots.subarray(half)));
    if (place > half) this.insertAt(at + 1, place - half, slot);
    else this.insertAt(at, place, slot);
  }

  private joinSmall(at: number): void {
    const [one, next] = [this.chunks[at], this.chunks[at + 1]];
    if (one === undefined || next === undefined || one.size + next.size > MIN_CHUNK_PAIR) return;
    const slots = new Uint32Array(one.size + next.size);
    slots.set(one.slots.subarray(0, one.size));
    slots.set(next.slots.subarray(0, next.size), one.size);
    this.chunks.splice(at, 2, this.chunkOf(slots));
  }

  private chunkOf(slots: Uint32Array): Chunk {
    const chunk = emptyChunk(slots.length);
    chunk.slots.set(slots);
    chunk.size = slots.length;
    for (const slot of slots) count(chunk, this.columns.countedAs(slot), 1);
    this.readEnds(chunk);
    return chunk;
  }

  private readEnds(chunk: Chunk): void {
    const { ends } = this.columns;
    chunk.minEnd = Infinity;
    chunk.maxEnd = -Infinity;
    for (let place = 0; place < chunk.size; place += 1) {
      const end = ends[chunk.slots[place] as number] as number;
      if (end < chunk.minEnd) chunk.minEnd = end;
      if (end > chunk.maxEnd) chunk.maxEnd = end;
    }
  }
}

function emptyChunk(capacity: number): Chunk {
  return {
    slots: new Uint32Array(Math.max(capacity, FIRST_CAPACITY)),
    size: 0,
    open: 0,
    locked: 0,
    kept: 0,
    minEnd: Infinity,
    maxEnd: -Infinity,
  };
}

/** Doubles the capacity of a chunk, by way of that of a filled one. */
function widen(chunk: Chunk): void {
  const { length } = chunk.slots;
  const isFilling = length < FILLED_CHUNK_SIZE;
  const wider = new Uint32Array(isFilling ? Math.min(length * 2, FILLED_CHUNK_SIZE) : MAX_CHUNK_SIZE);
  wider.set(chunk.slots);
  chunk.slots = wider;
}

function count(chunk: Chunk, countedAs: number, by: 1 | -1): void {
  if ((countedAs & OPEN) !== 0) chunk.open += by;
  if ((countedAs & LOCKED) !== 0) chunk.locked += by;
  if ((countedAs & KEPT) !== 0) chunk.kept += by;
}
