import { byName, type LinkedName } from '../event.link-kinds.js';
import type { EventColumns } from './event-columns.js';
import { SlotList } from './slot-list.js';

/** What a list has in common: the linked record, the parent or the flag of its events. */
export type KeyKind = LinkedName | 'term' | 'parent' | 'featured' | 'ticketed';

export interface Key {
  readonly kind: KeyKind;
  /** 0 for flags. */
  readonly id: number;
}

/** One list of events for each key. Lists have small numbers, by which events refer to them. An empty list goes. */
export class KeyLists {
  private readonly numbers: Readonly<Record<KeyKind, Map<number, number>>> = {
    ...byName(() => new Map<number, number>()),
    term: new Map(),
    parent: new Map(),
    featured: new Map(),
    ticketed: new Map(),
  };
  private readonly lists: (SlotList | undefined)[] = [];
  private readonly keys: Key[] = [];
  private readonly free: number[] = [];

  constructor(private readonly columns: EventColumns) {}

  /** Returns the list of a key, or undefined if no event has the key. */
  find(kind: KeyKind, id = 0): SlotList | undefined {
    const number = this.numberOf(kind, id);
    return number === undefined ? undefined : this.at(number);
  }

  /** Returns the number of the list of a key, or undefined if no event has the key. */
  numberOf(kind: KeyKind, id = 0): number | undefined {
    return this.numbers[kind].get(id);
  }

  /** Returns the number of the list of a key. Makes the list if there is none. */
  ensure(kind: KeyKind, id = 0): number {
    const known = this.numberOf(kind, id);
    if (known !== undefined) return known;
    const number = this.free.pop() ?? this.lists.length;
    this.lists[number] = new SlotList(this.columns);
    this.keys[number] = { kind, id };
    this.numbers[kind].set(id, number);
    return number;
  }

  at(number: number): SlotList {
    const list = this.lists[number];
    if (list === undefined) throw new Error('An event of the index names a list that is gone.');
    return list;
  }

  keyOf(number: number): Key {
    return this.keys[number] as Key;
  }

  /** Forgets a list without events. */
  releaseIfEmpty(number: number): void {
    const list = this.lists[number];
    if (list === undefined || list.size > 0) return;
    const { kind, id } = this.keyOf(number);
    this.numbers[kind].delete(id);
    this.lists[number] = undefined;
    this.free.push(number);
  }

  /** Yields the numbers of all lists. */
  *all(): Generator<number> {
    for (const [number, list] of this.lists.entries()) if (list !== undefined) yield number;
  }
}
