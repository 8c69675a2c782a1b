import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { byName, LINKED_NAMES } from '../event.link-kinds.js';
import { EventColumns } from './event-columns.js';
import { type EventFacts, flagsOf, NEVER, PUBLIC } from './event-facts.js';
import { EventKeys } from './event-keys.js';
import type { KeyKind } from './key-lists.js';
import { inListOrder } from './list-order.js';
import { SlotList } from './slot-list.js';

/** Limits the time for which building lists keeps requests from running. */
const EVENTS_PER_TURN = 4_000;

/**
 * The facts of all events in the memory of a process, and lists of them in their order. It knows no database:
 * `followed-events.ts` reads facts and tells changes.
 */
export class EventIndex {
  readonly columns = new EventColumns();
  /** All events. */
  readonly everything = new SlotList(this.columns);
  readonly keys = new EventKeys(this.columns);
  /** The slots of events that become public later. */
  private readonly scheduled = new Set<number>();
  /** From `since` until `until` the same events are public: seconds since 1970. */
  private since = -Infinity;
  private until = NEVER;

  constructor(private nowSeconds: number) {}

  /** The time for which events are public or not, in seconds since 1970. */
  get now(): number {
    return this.nowSeconds;
  }

  /** Adds events of which none is in the index, by ascending id, before `build`. */
  load(facts: readonly EventFacts[]): void {
    for (const one of facts) this.write(this.columns.add(one.id), one, this.keys.linksOf(one));
  }

  /**
   * Makes the lists, once all events are loaded. Requests run in between. Slots get the order of the lists, because memory is
   * read several times faster from one end to the other than here and there.
   */
  async build(): Promise<void> {
    const { columns, keys } = this;
    const order = await inListOrder(columns.starts.subarray(0, columns.slotCount), EVENTS_PER_TURN);
    for (const steps of [columns.reorder(order), keys.reorder(order)]) for (const _ of steps) await yieldToRequests();
    for (let slot = 0; slot < order.length; slot += 1) {
      this.schedule(slot);
      this.everything.append(slot);
      keys.appendToLists(slot);
      if (slot % EVENTS_PER_TURN === 0) await yieldToRequests();
    }
  }

  /** Adds an event or replaces its facts. */
  put(facts: EventFacts): void {
    const known = this.columns.slotOf(facts.id);
    const links = this.keys.linksOf(facts);
    if (known !== undefined && this.isSame(known, facts) && this.keys.has(known, links)) return;
    const before = known === undefined ? [] : this.takeOut(known);
    const slot = known ?? this.columns.add(facts.id);
    this.write(slot, facts, links);
    this.schedule(slot);
    this.everything.insert(slot);
    this.keys.forEachList(slot, (list) => list.insert(slot));
    this.keys.countPublic(slot, 1);
    this.keys.release(before);
  }

  /** Removes an event, if it is in the index. */
  remove(id: number): void {
    const slot = this.columns.slotOf(id);
    if (slot === undefined) return;
    const links = this.takeOut(slot);
    this.keys.set(slot, []);
    this.columns.remove(slot);
    this.keys.release(links);
  }

  /** Makes events public or not as at a time, which may be earlier than before. */
  moveTo(nowSeconds: number): void {
    this.nowSeconds = nowSeconds;
    if (nowSeconds >= this.since && nowSeconds < this.until) return;
    if (nowSeconds < this.since) this.setBack();
    else for (const slot of [...this.scheduled]) this.publish(slot);
    this.until = NEVER;
    for (const slot of this.scheduled) this.until = Math.min(this.until, this.columns.publicFroms[slot] as number);
  }

  /**
   * Returns until when the same events are public as at a time. Both are seconds since 1970. undefined: the index is at a time
   * at which others are public.
   */
  samePublicUntil(seconds: number): number | undefined {
    return seconds >= this.since && seconds < this.until ? this.until : undefined;
  }

  /** Returns the facts of an event, linked ids in no order, or undefined if it is not in the index. */
  factsOf(id: number): EventFacts | undefined {
    const slot = this.columns.slotOf(id);
    if (slot === undefined) return undefined;
    return {
      ...this.columns.read(slot),
      linkedIds: byName((name) => this.keys.ownIds(slot, name)),
      termIds: this.keys.ownIds(slot, 'term'),
    };
  }

  /** Whether an event is public and has a term itself, not only a descendant of it. */
  isPublicWithTerm(id: number, termId: number): boolean {
    const slot = this.columns.slotOf(id);
    if (slot === undefined || ((this.columns.flags[slot] as number) & PUBLIC) === 0) return false;
    return this.keys.ownIds(slot, 'term').includes(termId);
  }

  /** Whether the index has the same facts of an event. */
  agrees(facts: EventFacts): boolean {
    const slot = this.columns.slotOf(facts.id);
    if (slot === undefined || !this.isSame(slot, facts)) return false;
    const hasSame = (kind: KeyKind, ids: readonly number[]) => isSameSet(this.keys.ownIds(slot, kind), ids);
    return LINKED_NAMES.every((name) => hasSame(name, facts.linkedIds[name])) && hasSame('term', facts.termIds);
  }

  /** Returns the ids of all events. */
  ids(): number[] {
    return [...this.columns.ids.subarray(0, this.columns.slotCount)].filter((id) => id !== 0);
  }

  isThere(slot: number): boolean {
    return this.columns.ids[slot] !== 0;
  }

  /** Looks at all events, because a clock that was set back is rare. */
  private setBack(): void {
    const { publicFroms, slotCount } = this.columns;
    this.since = -Infinity;
    for (let slot = 0; slot < slotCount; slot += 1) {
      const from = publicFroms[slot] as number;
      if (from <= this.nowSeconds) this.since = Math.max(this.since, from);
      else if (from !== NEVER && this.isThere(slot)) this.publish(slot);
    }
  }

  private write(slot: number, facts: EventFacts, links: readonly number[]): void {
    this.columns.write(slot, facts, this.nowSeconds);
    this.keys.set(slot, links);
  }

  /** Notes when an event becomes public. */
  private schedule(slot: number): void {
    const from = this.columns.publicFroms[slot] as number;
    if (from > this.nowSeconds && from !== NEVER) {
      this.scheduled.add(slot);
      this.until = Math.min(this.until, from);
      return;
    }
    this.scheduled.delete(slot);
    if (from !== NEVER) this.since = Math.max(this.since, from);
  }

  /** Makes one event public or not, as it is now. */
  private publish(slot: number): void {
    const { columns, keys } = this;
    const flags = columns.flags[slot] as number;
    const now = (columns.publicFroms[slot] as number) <= this.nowSeconds ? flags | PUBLIC : flags & ~PUBLIC;
    if (now !== flags) {
      const before = columns.countedAs(slot);
      keys.countPublic(slot, -1);
      columns.flags[slot] = now;
      keys.countPublic(slot, 1);
      this.everything.recount(slot, before);
      keys.forEachList(slot, (list) => list.recount(slot, before));
    }
    this.schedule(slot);
  }

  /** Takes an event out of its lists and returns its links. */
  private takeOut(slot: number): number[] {
    this.everything.remove(slot);
    this.keys.forEachList(slot, (list) => list.remove(slot));
    this.keys.countPublic(slot, -1);
    this.scheduled.delete(slot);
    return this.keys.get(slot);
  }

  private isSame(slot: number, facts: EventFacts): boolean {
    const { columns } = this;
    return (
      columns.starts[slot] === facts.start &&
      columns.ends[slot] === facts.end &&
      columns.publicFroms[slot] === facts.publicFrom &&
      columns.authors[slot] === facts.authorId &&
      columns.parents[slot] === facts.parentId &&
      ((columns.flags[slot] as number) & ~PUBLIC) === flagsOf(facts)
    );
  }
}

function isSameSet(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}
