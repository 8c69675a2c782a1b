import { toSeconds } from '../../kernel/time/epoch-seconds.js';
import type { Bound } from '../../kernel/time/date-window.js';
import { type Caller, can } from '../../kernel/caller.js';
import type { PostStatus } from '../../kernel/post-status.js';
import {
  FEATURED,
  FLAG_VALUES,
  HIDDEN,
  codeOf,
  editedStatusCode,
  PROTECTED,
  PUBLIC,
  statusCode,
  TICKETED,
} from './event-facts.js';
import type { FoundEvents } from '../filter/filter.js';
import type { EventIndex } from './event-index.js';
import type { Chunk } from './slot-list.js';

/** What a list asks for, in terms of the index. */
export interface Selection {
  /** Bounds of the start and of the end. */
  readonly start: readonly Bound[];
  readonly end: readonly Bound[];
  readonly statuses: readonly PostStatus[];
  /** undefined: hidden events and others. */
  readonly isHidden: boolean | undefined;
  readonly isFeatured: boolean | undefined;
  readonly isTicketed: boolean | undefined;
  /** undefined: any; 0: without parent. */
  readonly parentId: number | undefined;
  readonly ids: readonly number[] | undefined;
  /** The events of a search. undefined: no search. */
  readonly found: FoundEvents | undefined;
  /** Groups of numbers of lists. An event must be in at least one list of each group. */
  readonly groups: readonly ReadonlySet<number>[];
  /** Whether the list excludes protected events, except those that the caller may edit. */
  readonly isRevealing: boolean;
  readonly caller: Caller;
}

/** Whole seconds from `from` (included) to `to` (excluded). */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The statuses that an event may be published or scheduled in, as codes. */
const PUBLISH = codeOf('publish');
const FUTURE = codeOf('future');
const NOT_TRASHED: readonly PostStatus[] = ['publish', 'future', 'draft', 'pending', 'private'];

/** The verdicts on an event by its flags. */
const NO = 1;
const IF_OWN = 2;
const YES = 3;
/** From this ratio of other lists to the list that is read, it is cheaper to look at the links of each event. */
const MAX_MARKED_RATIO = 8;

/** The conditions of a list as functions of an event's slot, and of a chunk of events. */
export class EventMatcher {
  readonly start: Span;
  readonly end: Span;
  private readonly statuses: number;
  private readonly editsOthers: boolean;
  private readonly editsOwn: boolean;
  private readonly publishesOwn: boolean;
  /** Which counts of a chunk answer the list. undefined: none. */
  private readonly counts: 'open' | 'public' | 'kept' | undefined;
  /** The verdict by flags, or 0 if it is not yet known. Flags have few values, and lists many events. */
  private readonly verdicts = new Uint8Array(FLAG_VALUES);
  /** The conditions that flags and times do not decide. */
  private readonly further: readonly ((slot: number) => boolean)[];

  /** `size`: the number of events to look at. All of them are in `group`, which is one of the groups. */
  constructor(
    private readonly index: EventIndex,
    private readonly selection: Selection,
    private readonly size: number,
    private readonly group?: ReadonlySet<number>,
  ) {
    const { caller, statuses } = selection;
    this.start = spanOf(selection.start);
    this.end = spanOf(selection.end);
    this.statuses = statuses.reduce((bits, status) => bits | (1 << codeOf(status)), 0);
    this.editsOthers = can(caller, 'edit_others_posts');
    this.editsOwn = can(caller, 'edit_posts');
    this.publishesOwn = can(caller, 'publish_posts');
    this.counts = this.countsFor();
    this.further = this.furtherConditions();
  }

  /**
   * Returns how many events of a chunk the list has, or undefined if each must be looked at. All events of the chunk are in
   * `group`.
   */
  countIn(chunk: Chunk, firstStart: number, lastStart: number): number | undefined {
    const { start, end, counts } = this;
    if (lastStart < start.from || firstStart >= start.to || chunk.maxEnd < end.from || chunk.minEnd >= end.to) return 0;
    if (counts === undefined) return undefined;
    if (firstStart < start.from || lastStart >= start.to || chunk.minEnd < end.from || chunk.maxEnd >= end.to)
      return undefined;
    if (counts === 'kept') return chunk.kept;
    if (counts === 'public') return chunk.open + chunk.locked;
    // Authors may edit some protected events.
    return chunk.locked > 0 && this.editsOwn ? undefined : chunk.open;
  }

  /** Whether the list has an event. */
  matches(slot: number): boolean {
    const { starts, ends, flags, authors } = this.index.columns;
    const start = starts[slot] as number;
    if (start < this.start.from || start >= this.start.to) return false;
    const end = ends[slot] as number;
    if (end < this.end.from || end >= this.end.to) return false;
    const verdict = this.verdicts[flags[slot] as number] || this.judge(flags[slot] as number);
    if (verdict === NO) return false;
    if (verdict === IF_OWN && authors[slot] !== this.selection.caller.userId) return false;
    for (const isMet of this.further) if (!isMet(slot)) return false;
    return true;
  }

  private judge(flags: number): number {
    const verdict = this.accepts(flags, false) ? YES : this.editsOwn && this.accepts(flags, true) ? IF_OWN : NO;
    this.verdicts[flags] = verdict;
    return verdict;
  }

  /** Whether the flags of an event meet the list's conditions. */
  private accepts(flags: number, isOwn: boolean): boolean {
    const { isHidden, isFeatured, isTicketed, isRevealing } = this.selection;
    if (isHidden !== undefined && isHidden !== ((flags & HIDDEN) !== 0)) return false;
    if ((this.statuses & (1 << effectiveCode(flags))) === 0) return false;
    if (isFeatured !== undefined && isFeatured !== ((flags & FEATURED) !== 0)) return false;
    if (isTicketed !== undefined && isTicketed !== ((flags & TICKETED) !== 0)) return false;
    if (this.editsOthers) return true;
    if ((flags & PUBLIC) === 0 && !isOwn) return false;
    return !isRevealing || (flags & PROTECTED) === 0 || (isOwn && this.mayEditOwn(flags));
  }

  private mayEditOwn(flags: number): boolean {
    if (this.publishesOwn) return true;
    const code = editedStatusCode(flags);
    return code !== PUBLISH && code !== FUTURE;
  }

  private furtherConditions(): ((slot: number) => boolean)[] {
    const { parentId, ids, found, groups } = this.selection;
    const { columns } = this.index;
    const further: ((slot: number) => boolean)[] = [];
    if (parentId !== undefined) further.push((slot) => columns.parents[slot] === parentId);
    if (ids !== undefined) {
      const wanted = new Set(ids);
      further.push((slot) => wanted.has(columns.ids[slot] as number));
    }
    if (found !== undefined) further.push((slot) => found.has(columns.ids[slot] as number));
    for (const group of groups) if (group !== this.group) further.push(this.isInGroup(group));
    return further;
  }

  private isInGroup(group: ReadonlySet<number>): (slot: number) => boolean {
    const { keys, columns } = this.index;
    const lists = [...group].map((number) => keys.lists.at(number));
    const size = lists.reduce((sum, list) => sum + list.size, 0);
    if (size > this.size * MAX_MARKED_RATIO) return (slot) => keys.isInAny(slot, group);
    const marks = new Uint8Array(columns.slotCount);
    for (const { chunks } of lists)
      for (const chunk of chunks)
        for (let place = 0; place < chunk.size; place += 1) marks[chunk.slots[place] as number] = 1;
    return (slot) => marks[slot] === 1;
  }

  private countsFor() {
    const { statuses, isHidden, isFeatured, isTicketed, parentId, ids, found, groups, isRevealing } = this.selection;
    // The flags and the parent are groups, too, unless events without them are wanted.
    const hasFurther =
      isFeatured === false || isTicketed === false || parentId === 0 || ids !== undefined || found !== undefined;
    if (isHidden !== false || hasFurther || groups.some((group) => group !== this.group)) return undefined;
    if (statuses.length === 1 && statuses[0] === 'publish') return isRevealing && !this.editsOthers ? 'open' : 'public';
    return this.editsOthers &&
      NOT_TRASHED.every((status) => statuses.includes(status)) &&
      statuses.length === NOT_TRASHED.length
      ? 'kept'
      : undefined;
  }
}

/** Returns the code of the status that a stored one means now (kernel/post-status.ts). */
function effectiveCode(flags: number): number {
  const code = statusCode(flags);
  if (code !== PUBLISH && code !== FUTURE) return code;
  return (flags & PUBLIC) !== 0 ? PUBLISH : FUTURE;
}

function spanOf(bounds: readonly Bound[]): Span {
  let [from, to] = [-Infinity, Infinity];
  for (const { op, utc } of bounds) {
    const seconds = toSeconds(utc);
    if (op === '>=') from = Math.max(from, seconds);
    else if (op === '>') from = Math.max(from, seconds + 1);
    else if (op === '<') to = Math.min(to, seconds);
    else to = Math.min(to, seconds + 1);
  }
  return { from, to };
}
