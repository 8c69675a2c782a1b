import type { EventIndex } from './event-index.js';
import { EventMatcher, type Selection } from './event-selection.js';
import { SlotList } from './slot-list.js';

/** The ids on a page of a list, and the total on all pages. */
export interface SelectedPage {
  readonly total: number;
  readonly ids: readonly number[];
}

/** The part of a list in its order. `offset` and `size` are in events. */
export interface Part {
  readonly offset: number;
  readonly size: number;
  readonly isDescending: boolean;
}

/** A union of lists is read instead of all events if it has at most this share of them. */
const MAX_SHARE_OF_UNION = 0.25;
/** More events of a search are not sorted. All events of the list are read, and tested. */
const MAX_FOUND = 20_000;

/** Returns the number of events of a list. */
export function selectedTotal(index: EventIndex, selection: Selection): number {
  return reading(index, selection).count();
}

/** Returns a part of a list by start, and its total. Events that start together are by ascending id in both directions. */
export function selectedPage(index: EventIndex, selection: Selection, part: Part): SelectedPage {
  const read = reading(index, selection);
  const { offset, size } = part;
  if (!part.isDescending) {
    const { total, slots } = read.page(offset, size);
    return { total, ids: idsOf(index, slots) };
  }
  const total = read.count();
  const from = Math.max(0, total - offset - size);
  const { slots } = read.page(from, Math.max(0, total - offset - from));
  if (slots.length === 0) return { total, ids: [] };
  return { total, ids: idsOf(index, descending(index, read, slots, part)) };
}

/** Turns a part of the ascending list into the same part of the descending list, in which ids ascend all the same. */
function descending(index: EventIndex, read: Reading, slots: readonly number[], { offset, size }: Part): number[] {
  const { starts } = index.columns;
  const [first, last] = [starts[slots[0]!] as number, starts[slots.at(-1)!] as number];
  // All events that start together with one of the part.
  const around = read.between(first, last + 1).page(0, Infinity).slots;
  const after = read.between(last + 1, Infinity).count();
  const ordered = around.toSorted((a, b) => (starts[b] as number) - (starts[a] as number));
  return ordered.slice(offset - after, offset - after + size);
}

function idsOf({ columns }: EventIndex, slots: readonly number[]): number[] {
  return slots.map((slot) => columns.ids[slot] as number);
}

/** Chooses what to read: the events that are named, else the shortest of the lists. */
function reading(index: EventIndex, selection: Selection): Reading {
  const { ids, found, groups } = selection;
  if (ids !== undefined) {
    return readingOf(index, selection, listOf(index, slotsOf(index, [...new Set(ids)])));
  }
  let [base, chosen]: [SlotList, ReadonlySet<number> | undefined] = [index.everything, undefined];
  for (const group of groups) {
    const [only] = group;
    if (only === undefined) return readingOf(index, selection, new SlotList(index.columns));
    if (group.size === 1 && index.keys.lists.at(only).size < base.size)
      [base, chosen] = [index.keys.lists.at(only), group];
  }
  for (const group of groups) {
    const size = [...group].reduce((sum, number) => sum + index.keys.lists.at(number).size, 0);
    if (group.size === 1 || size > base.size * MAX_SHARE_OF_UNION) continue;
    const union = new Set([...group].flatMap((number) => [...index.keys.lists.at(number).all()]));
    [base, chosen] = [listOf(index, [...union]), group];
  }
  if (found !== undefined && found.size <= Math.min(MAX_FOUND, base.size * MAX_SHARE_OF_UNION))
    return readingOf(index, selection, listOf(index, slotsOf(index, found.ids())));
  return readingOf(index, selection, base, chosen);
}

/** Returns the slots of those of the events that are in the index. */
function slotsOf({ columns }: EventIndex, ids: readonly number[]): number[] {
  return ids.map((id) => columns.slotOf(id)).filter((slot) => slot !== undefined);
}

function readingOf(index: EventIndex, selection: Selection, list: SlotList, group?: ReadonlySet<number>): Reading {
  return new Reading(index, new EventMatcher(index, selection, list.size, group), list);
}

/** Returns a list of some events. */
function listOf({ columns }: EventIndex, slots: readonly number[]): SlotList {
  const list = new SlotList(columns);
  for (const slot of slots.toSorted((a, b) => columns.compare(a, b))) list.append(slot);
  return list;
}

/** Reads the matches among the events of a list. */
class Reading {
  constructor(
    private readonly index: EventIndex,
    private readonly matcher: EventMatcher,
    private readonly list: SlotList,
    /** Starts, in seconds since 1970: `from` included, `to` excluded. */
    private readonly from = -Infinity,
    private readonly to = Infinity,
  ) {}

  /** The same list, only events that start between two times. */
  between(from: number, to: number): Reading {
    return new Reading(this.index, this.matcher, this.list, from, to);
  }

  count(): number {
    return this.page(0, 0).total;
  }

  /** Counts all matches and returns the slots of some. Skips the chunks whose counts answer. */
  page(offset: number, size: number): { total: number; slots: number[] } {
    const { list, matcher } = this;
    const slots: number[] = [];
    let total = 0;
    const [from, to] = [Math.max(this.from, matcher.start.from), Math.min(this.to, matcher.start.to)];
    for (let at = list.firstChunkFrom(from); at < list.chunks.length; at += 1) {
      const chunk = list.chunks[at]!;
      const [first, last] = [list.firstStartOf(chunk), list.lastStartOf(chunk)];
      if (first >= to) break;
      const isWithin = first >= this.from && last < this.to;
      const counted = isWithin ? matcher.countIn(chunk, first, last) : undefined;
      if (counted !== undefined && (total + counted <= offset || total >= offset + size)) {
        total += counted;
        continue;
      }
      for (let place = 0; place < chunk.size; place += 1) {
        const slot = chunk.slots[place] as number;
        if (!(isWithin || this.isBetween(slot)) || !matcher.matches(slot)) continue;
        if (total >= offset && total < offset + size) slots.push(slot);
        total += 1;
      }
    }
    return { total, slots };
  }

  private isBetween(slot: number): boolean {
    const start = this.index.columns.starts[slot] as number;
    return start >= this.from && start < this.to;
  }
}
