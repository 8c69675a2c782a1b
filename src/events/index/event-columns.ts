import {
  type EventFacts,
  factsInFlags,
  flagsOf,
  HIDDEN,
  PROTECTED,
  PUBLIC,
  statusCode,
  TRASH_CODE,
} from './event-facts.js';
import { IdMap } from './id-map.js';
import { GROWTH, grown, reorder } from './number-lists.js';

/** The highest id and the highest number of events that the columns hold. */
const MAX_ID = 2 ** 32 - 1;

/** The facts of all events in columns. An event has a slot, which a later event may take over after it. */
export class EventColumns {
  private readonly slots = new IdMap();
  private readonly free: number[] = [];
  private used = 0;
  ids = new Uint32Array(16);
  starts = new Float64Array(16);
  ends = new Float64Array(16);
  publicFroms = new Float64Array(16);
  authors = new Uint32Array(16);
  parents = new Uint32Array(16);
  flags = new Uint16Array(16);

  /** The number of events. */
  get size(): number {
    return this.used - this.free.length;
  }

  /** The number of slots, those of removed events included. */
  get slotCount(): number {
    return this.used;
  }

  slotOf(id: number): number | undefined {
    return this.slots.get(id);
  }

  /** Takes a slot for an event. The caller fills it by `write`. */
  add(id: number): number {
    if (id > MAX_ID) throw new RangeError(`The index of events holds no id above ${MAX_ID}, and there is ${id}.`);
    const slot = this.free.pop() ?? this.nextSlot();
    this.ids[slot] = id;
    this.slots.set(id, slot);
    return slot;
  }

  write(slot: number, facts: EventFacts, nowSeconds: number): void {
    this.starts[slot] = facts.start;
    this.ends[slot] = facts.end;
    this.publicFroms[slot] = facts.publicFrom;
    this.authors[slot] = facts.authorId;
    this.parents[slot] = facts.parentId;
    this.flags[slot] = flagsOf(facts) | (facts.publicFrom <= nowSeconds ? PUBLIC : 0);
  }

  /** Returns the facts of an event, without linked ids. */
  read(slot: number): Omit<EventFacts, 'linkedIds' | 'termIds'> {
    const flags = this.flags[slot] as number;
    return {
      id: this.ids[slot] as number,
      start: this.starts[slot] as number,
      end: this.ends[slot] as number,
      publicFrom: this.publicFroms[slot] as number,
      ...factsInFlags(flags),
      authorId: this.authors[slot] as number,
      parentId: this.parents[slot] as number,
    };
  }

  remove(slot: number): void {
    this.slots.delete(this.ids[slot] as number);
    this.ids[slot] = 0;
    this.free.push(slot);
  }

  /** Moves the event of slot `order[n]` to slot `n`, for each slot. Other work may run between its steps. */
  *reorder(order: Uint32Array): Generator<void> {
    const { ids, starts, ends, publicFroms, authors, parents, flags } = this;
    for (const column of [ids, starts, ends, publicFroms, authors, parents, flags]) yield reorder(column, order);
    for (let slot = 0; slot < order.length; slot += 1) this.slots.set(this.ids[slot] as number, slot);
  }

  /** Compares two events in list order: by start, then by id. */
  compare(a: number, b: number): number {
    return (this.starts[a] as number) - (this.starts[b] as number) || (this.ids[a] as number) - (this.ids[b] as number);
  }

  /** Returns which counts of a list an event is in: a sum of `OPEN`, `LOCKED` and `KEPT`. */
  countedAs(slot: number): number {
    const flags = this.flags[slot] as number;
    if ((flags & HIDDEN) !== 0) return 0;
    const kept = statusCode(flags) === TRASH_CODE ? 0 : KEPT;
    if ((flags & PUBLIC) === 0) return kept;
    return kept | ((flags & PROTECTED) === 0 ? OPEN : LOCKED);
  }

  private nextSlot(): number {
    if (this.used === this.ids.length) this.grow();
    this.used += 1;
    return this.used - 1;
  }

  private grow(): void {
    const size = Math.ceil(this.ids.length * GROWTH);
    this.ids = grown(this.ids, new Uint32Array(size));
    this.starts = grown(this.starts, new Float64Array(size));
    this.ends = grown(this.ends, new Float64Array(size));
    this.publicFroms = grown(this.publicFroms, new Float64Array(size));
    this.authors = grown(this.authors, new Uint32Array(size));
    this.parents = grown(this.parents, new Uint32Array(size));
    this.flags = grown(this.flags, new Uint16Array(size));
  }
}

/** Public, not hidden, without a password. */
export const OPEN = 1;
/** Public, not hidden, with a password. */
export const LOCKED = 2;
/** Not in the trash, not hidden. */
export const KEPT = 4;
