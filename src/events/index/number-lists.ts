/** The factor by which full arrays grow. The unused part takes memory for good, and a growing array is copied. */
export const GROWTH = 1.1;

/** Limits the time of a step. */
const SLOTS_PER_STEP = 100_000;

/** A short list of numbers for each slot, all in one array. A list that is replaced leaves a gap, until gaps are half. */
export class NumberLists {
  private numbers = new Uint32Array(64);
  private used = 0;
  private gaps = 0;
  private starts = new Uint32Array(16);
  private lengths = new Uint16Array(16);

  /** Prepares slots below `count`. */
  grow(count: number): void {
    if (count <= this.starts.length) return;
    const size = Math.max(count, Math.ceil(this.starts.length * GROWTH));
    this.starts = grown(this.starts, new Uint32Array(size));
    this.lengths = grown(this.lengths, new Uint16Array(size));
  }

  lengthOf(slot: number): number {
    return this.lengths[slot] as number;
  }

  /** Returns the number at a place in the list of a slot. */
  at(slot: number, place: number): number {
    return this.numbers[(this.starts[slot] as number) + place] as number;
  }

  of(slot: number): number[] {
    const start = this.starts[slot] as number;
    return Array.from(this.numbers.subarray(start, start + this.lengthOf(slot)));
  }

  set(slot: number, list: readonly number[]): void {
    const length = this.lengthOf(slot);
    if (list.length > length) {
      this.gaps += length;
      this.lengths[slot] = 0;
      this.reserve(list.length);
      this.starts[slot] = this.used;
      this.used += list.length;
    } else this.gaps += length - list.length;
    this.lengths[slot] = list.length;
    this.numbers.set(list, this.starts[slot]);
  }

  /** Moves the list of slot `order[n]` to slot `n`, for each slot. Other work may run between its steps. */
  *reorder(order: Uint32Array): Generator<void> {
    const [numbers, starts, lengths] = [this.numbers.slice(), this.starts.slice(), this.lengths.slice()];
    this.used = 0;
    this.gaps = 0;
    for (let slot = 0; slot < order.length; slot += 1) {
      const from = order[slot] as number;
      const [start, length] = [starts[from] as number, lengths[from] as number];
      for (let place = 0; place < length; place += 1)
        this.numbers[this.used + place] = numbers[start + place] as number;
      this.starts[slot] = this.used;
      this.lengths[slot] = length;
      this.used += length;
      if (slot % SLOTS_PER_STEP === 0) yield;
    }
  }

  private reserve(count: number): void {
    if (this.used + count <= this.numbers.length) return;
    if (this.gaps * 2 > this.used) this.closeGaps();
    if (this.used + count <= this.numbers.length) return;
    const size = Math.max(this.used + count, Math.ceil(this.numbers.length * GROWTH));
    this.numbers = grown(this.numbers, new Uint32Array(size));
  }

  private closeGaps(): void {
    const closed = new Uint32Array(this.numbers.length);
    let used = 0;
    for (let slot = 0; slot < this.starts.length; slot += 1) {
      const [start, length] = [this.starts[slot] as number, this.lengthOf(slot)];
      closed.set(this.numbers.subarray(start, start + length), used);
      this.starts[slot] = used;
      used += length;
    }
    this.numbers = closed;
    this.used = used;
    this.gaps = 0;
  }
}

/** Moves the number at `order[n]` to place `n`, for each place of `order`. */
export function reorder(numbers: Uint32Array | Uint16Array | Float64Array, order: Uint32Array): void {
  const before = numbers.slice();
  for (let place = 0; place < order.length; place += 1) numbers[place] = before[order[place] as number] as number;
}

/** Copies the numbers of an array into a larger one. */
export function grown<Numbers extends Uint32Array | Uint16Array | Float64Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from);
  return into;
}
