import { KEPT, LOCKED, OPEN } from './event-columns.js';
import { PUBLIC } from './event-facts.js';
import type { EventIndex } from './event-index.js';
import type { SlotList } from './slot-list.js';

/**
 * Returns one line for each fault of the lists of an index: events in the wrong order or number, counts that differ from
 * the events, and events that are public or not at the wrong time.
 */
export function faultsOf(index: EventIndex): string[] {
  const { columns } = index;
  const sizes = new Map<SlotList, number>();
  const faults = listFaults(index, index.everything, 'all events', columns.size);
  for (let slot = 0; slot < columns.slotCount; slot += 1) {
    if (!index.isThere(slot)) continue;
    if (isPublicAt(index, slot) !== (((columns.flags[slot] as number) & PUBLIC) !== 0))
      faults.push(`event ${columns.ids[slot]}: public at the wrong time`);
    if (!index.keys.has(slot, index.keys.linksOf(index.factsOf(columns.ids[slot] as number)!)))
      faults.push(`event ${columns.ids[slot]}: not in the lists of its categories' ancestors`);
    index.keys.forEachList(slot, (list) => {
      sizes.set(list, (sizes.get(list) ?? 0) + 1);
      if (!list.has(slot)) faults.push(`event ${columns.ids[slot]}: missing in a list`);
    });
  }
  for (const number of index.keys.lists.all()) {
    const { kind, id } = index.keys.lists.keyOf(number);
    const list = index.keys.lists.at(number);
    const own = [...list.all()].filter((slot) => isPublicAt(index, slot) && index.keys.ownIds(slot, kind).includes(id));
    const counted = index.keys.publicEventsOf(kind, id);
    if (counted !== own.length) faults.push(`${kind} ${id}: ${counted} public events instead of ${own.length}`);
    faults.push(...listFaults(index, list, `${kind} ${id}`, sizes.get(list) ?? 0));
  }
  return faults;
}

function isPublicAt({ columns, now }: EventIndex, slot: number): boolean {
  return (columns.publicFroms[slot] as number) <= now;
}

function listFaults({ columns }: EventIndex, list: SlotList, name: string, size: number): string[] {
  const faults: string[] = [];
  const slots = [...list.all()];
  if (slots.length !== size || list.size !== size) faults.push(`${name}: ${slots.length} events instead of ${size}`);
  const isOrdered = slots.every((slot, place) => place === 0 || columns.compare(slots[place - 1]!, slot) < 0);
  if (!isOrdered) faults.push(`${name}: the order is wrong`);
  for (const chunk of list.chunks) {
    const own = [...chunk.slots.subarray(0, chunk.size)];
    const counted = (bit: number) => own.filter((slot) => (columns.countedAs(slot) & bit) !== 0).length;
    const ends = own.map((slot) => columns.ends[slot] as number);
    const found = [counted(OPEN), counted(LOCKED), counted(KEPT), Math.min(...ends), Math.max(...ends)];
    const kept = [chunk.open, chunk.locked, chunk.kept, chunk.minEnd, chunk.maxEnd];
    if (found.join() !== kept.join()) faults.push(`${name}: a chunk has ${kept.join()} instead of ${found.join()}`);
  }
  return faults;
}
