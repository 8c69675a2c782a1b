import { Turns } from '../../database/connection/turns.js';
import { LINKED_NAMES } from '../event.link-kinds.js';
import type { EventColumns } from './event-columns.js';
import { type EventFacts, PUBLIC } from './event-facts.js';
import { type KeyKind, KeyLists } from './key-lists.js';
import { NumberLists } from './number-lists.js';
import type { SlotList } from './slot-list.js';
import { TermTree } from './term-tree.js';

/** A link of an event is twice the number of a list, plus 1 if the event has the key itself, not only a descendant. */
const OWN = 1;
/** So many events get other keys before the time of the turn is read. */
const EVENTS_PER_LOOK = 50;

/** Which keys each event has, and the list of the events of each key. The list of a category has those of its branch. */
export class EventKeys {
  readonly lists: KeyLists;
  readonly terms = new TermTree();
  private readonly links = new NumberLists();
  /** By the number of a list: how many public events have the key itself. */
  private readonly publicOwn: number[] = [];

  constructor(private readonly columns: EventColumns) {
    this.lists = new KeyLists(columns);
  }

  /** Returns how many public events have a key itself, not only a descendant of it. */
  publicEventsOf(kind: KeyKind, id: number): number {
    const number = this.lists.numberOf(kind, id);
    return number === undefined ? 0 : (this.publicOwn[number] ?? 0);
  }

  /** Returns the terms with public events, and their ancestors. */
  usedTerms(): Set<number> {
    const used = new Set<number>();
    for (const number of this.lists.all()) {
      const { kind, id } = this.lists.keyOf(number);
      if (kind !== 'term' || !this.publicOwn[number]) continue;
      for (let term = id; term !== 0 && !used.has(term); term = this.terms.parentOf(term)) used.add(term);
    }
    return used;
  }

  /** Adds an event to the counts of its keys, or removes it from them, if it is public. */
  countPublic(slot: number, by: 1 | -1): void {
    if (((this.columns.flags[slot] as number) & PUBLIC) === 0) return;
    for (let place = 0; place < this.links.lengthOf(slot); place += 1) {
      const link = this.links.at(slot, place);
      if ((link & OWN) !== 0) this.publicOwn[numberOf(link)] = (this.publicOwn[numberOf(link)] ?? 0) + by;
    }
  }

  /** Returns the links of facts, in ascending order. Makes lists that are missing. */
  linksOf({ linkedIds, termIds, parentId, isFeatured, isTicketed }: EventFacts): number[] {
    const links: number[] = [];
    for (const name of LINKED_NAMES) for (const id of linkedIds[name]) links.push(this.ownLink(name, id));
    for (const id of termIds) links.push(this.ownLink('term', id));
    if (parentId !== 0) links.push(this.ownLink('parent', parentId));
    if (isFeatured) links.push(this.ownLink('featured', 0));
    if (isTicketed) links.push(this.ownLink('ticketed', 0));
    return this.withAncestors(links, termIds);
  }

  /** Returns the stored links of an event. */
  get(slot: number): number[] {
    return this.links.of(slot);
  }

  /** Stores the links of an event. Its lists stay as they are. */
  set(slot: number, links: readonly number[]): void {
    this.links.grow(slot + 1);
    this.links.set(slot, links);
  }

  has(slot: number, links: readonly number[]): boolean {
    const isSame = (link: number, place: number) => this.links.at(slot, place) === link;
    return this.links.lengthOf(slot) === links.length && links.every(isSame);
  }

  /** Moves the keys of slot `order[n]` to slot `n`, for each slot. Other work may run between its steps. */
  reorder(order: Uint32Array): Generator<void> {
    return this.links.reorder(order);
  }

  /** Adds an event to its lists, of which it is the last, and to the counts. */
  appendToLists(slot: number): void {
    this.countPublic(slot, 1);
    const countedAs = this.columns.countedAs(slot);
    for (let place = 0; place < this.links.lengthOf(slot); place += 1)
      this.lists.at(numberOf(this.links.at(slot, place))).append(slot, countedAs);
  }

  /** Calls a function with each list of an event. */
  forEachList(slot: number, use: (list: SlotList) => void): void {
    for (let place = 0; place < this.links.lengthOf(slot); place += 1)
      use(this.lists.at(numberOf(this.links.at(slot, place))));
  }

  /** Whether an event is in one of the lists with these numbers. */
  isInAny(slot: number, numbers: ReadonlySet<number>): boolean {
    for (let place = 0; place < this.links.lengthOf(slot); place += 1)
      if (numbers.has(this.links.at(slot, place) >> 1)) return true;
    return false;
  }

  /** Returns the ids of the keys that an event has itself, in no order. */
  ownIds(slot: number, kind: KeyKind): number[] {
    const keys = ownNumbers(this.get(slot)).map((number) => this.lists.keyOf(number));
    return keys.filter((key) => key.kind === kind).map(({ id }) => id);
  }

  /** Removes a key that was deleted from all its events. Requests run in between. */
  async removeKey(kind: KeyKind, id: number): Promise<void> {
    const removed = this.lists.numberOf(kind, id);
    if (removed === undefined) return;
    await this.relink([...this.lists.at(removed).all()], (own) => own.filter((number) => number !== removed));
  }

  /** Moves a term below a parent (0: none), with its events. Requests run in between. */
  async setTerm(id: number, parent: number): Promise<void> {
    if (!this.terms.set(id, parent)) return;
    await this.relink([...(this.lists.find('term', id)?.all() ?? [])], (own) => own);
  }

  async removeTerm(id: number): Promise<void> {
    this.terms.set(id, 0);
    await this.removeKey('term', id);
  }

  /** Forgets those of the lists that have lost their last event. */
  release(links: readonly number[]): void {
    for (const link of links) this.lists.releaseIfEmpty(link >> 1);
  }

  /**
   * Gives events other keys, and those of the ancestors of their categories. Nothing else may change links meanwhile; whether
   * events are public may change. The caller must have no deadline, because an error would leave some events with former keys.
   */
  private async relink(slots: readonly number[], change: (own: readonly number[]) => readonly number[]): Promise<void> {
    const turns = new Turns();
    for (const [place, slot] of slots.entries()) {
      if (place % EVENTS_PER_LOOK === 0) await turns.next();
      const before = this.get(slot);
      const own = change(ownNumbers(before));
      const termIds = own.map((number) => this.lists.keyOf(number)).filter(({ kind }) => kind === 'term');
      const after = this.withAncestors(
        own.map((number) => number * 2 + OWN),
        termIds.map(({ id }) => id),
      );
      const [left, entered] = [new Set(before.map(numberOf)), new Set(after.map(numberOf))];
      for (const number of left) if (!entered.has(number)) this.lists.at(number).remove(slot);
      for (const number of entered) if (!left.has(number)) this.lists.at(number).insert(slot);
      this.countPublic(slot, -1);
      this.set(slot, after);
      this.countPublic(slot, 1);
      this.release(before);
    }
  }

  private ownLink(kind: KeyKind, id: number): number {
    return this.lists.ensure(kind, id) * 2 + OWN;
  }

  /** Adds the ancestors of terms to the links of an event, and sorts them. */
  private withAncestors(links: number[], termIds: readonly number[]): number[] {
    for (const id of termIds) {
      for (const parent of this.terms.ancestorsOf(id)) {
        const link = this.lists.ensure('term', parent) * 2;
        // The ancestors of this one are there, too, or come with the term itself.
        if (links.includes(link) || links.includes(link + OWN)) break;
        links.push(link);
      }
    }
    return sortFew(links);
  }
}

/** Sorts a few numbers by insertion, which is faster than a call of a comparison for each pair. */
function sortFew(numbers: number[]): number[] {
  for (let sorted = 1; sorted < numbers.length; sorted += 1) {
    const number = numbers[sorted] as number;
    let place = sorted;
    for (; place > 0 && (numbers[place - 1] as number) > number; place -= 1)
      numbers[place] = numbers[place - 1] as number;
    numbers[place] = number;
  }
  return numbers;
}

function numberOf(link: number): number {
  return link >> 1;
}

function ownNumbers(links: readonly number[]): number[] {
  return links.filter((link) => (link & OWN) !== 0).map(numberOf);
}
