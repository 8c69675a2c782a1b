import { factsOf } from '../../../test/support/event-facts.js';
import { EventColumns } from './event-columns.js';
import type { EventFacts } from './event-facts.js';
import { SlotList } from './slot-list.js';

const NOW = 1_000_000;

/** A list of events that start at the given times, inserted in this order. Their ids are 1, 2, 3 … */
function listOf(starts: readonly number[]) {
  const columns = new EventColumns();
  const list = new SlotList(columns);
  const slots = starts.map((start, index) => {
    const slot = columns.add(index + 1);
    columns.write(slot, factsOf(index + 1, start), NOW);
    list.insert(slot);
    return slot;
  });
  return { columns, list, slots };
}

const sizesOf = (list: SlotList) => list.chunks.map(({ size }) => size);
const idsOf = ({ columns, list }: ReturnType<typeof listOf>) => [...list.all()].map((slot) => columns.ids[slot]);

test('events are in the order of their starts, then of their ids', () => {
  expect(idsOf(listOf([30, 10, 20, 10, 30, 10]))).toEqual([2, 4, 6, 3, 1, 5]);
});

test('a full chunk is split where an event is inserted, and a new one begins at the end', () => {
  const atEnd = listOf(Array.from({ length: 2_500 }, (_, n) => n));
  expect(sizesOf(atEnd.list)).toEqual([1_024, 1_024, 452]);
  const atStart = listOf(Array.from({ length: 1_025 }, (_, n) => -n));
  expect(sizesOf(atStart.list)).toEqual([513, 512]);
  expect(idsOf(atStart)).toEqual(Array.from({ length: 1_025 }, (_, n) => 1_025 - n));
});

test('chunks that lose most of their events are joined, and empty ones go', () => {
  const { list, slots } = listOf(Array.from({ length: 2_048 }, (_, n) => n));
  for (const slot of slots.slice(100, 1_700)) list.remove(slot);
  expect([list.size, sizesOf(list)]).toEqual([448, [448]]);
  for (const slot of [...list.all()]) list.remove(slot);
  expect([list.size, list.chunks]).toEqual([0, []]);
});

test('a chunk knows the earliest and the latest end of its events', () => {
  const { list, slots } = listOf([10, 20, 30]);
  const ends = () => list.chunks.map(({ minEnd, maxEnd }) => [minEnd, maxEnd]);
  expect(ends()).toEqual([[70, 90]]);
  list.remove(slots[2]!);
  expect(ends()).toEqual([[70, 80]]);
  list.remove(slots[0]!);
  expect(ends()).toEqual([[80, 80]]);
});

test('a chunk counts public events without a password, those with one, and all outside the trash, but no hidden ones', () => {
  const columns = new EventColumns();
  const list = new SlotList(columns);
  const kinds: Partial<EventFacts>[] = [
    {},
    { isProtected: true },
    { publicFrom: NOW + 1, status: 'future' },
    { publicFrom: Infinity, status: 'draft' },
    { publicFrom: Infinity, status: 'trash', trashedFrom: 'publish' },
    { isHidden: true },
  ];
  for (const [index, further] of kinds.entries()) {
    const slot = columns.add(index + 1);
    columns.write(slot, factsOf(index + 1, 10, further), NOW);
    list.insert(slot);
  }
  expect(list.chunks.map(({ open, locked, kept }) => [open, locked, kept])).toEqual([[1, 1, 4]]);
});

test('removing an event that a list does not have is an error', () => {
  const { list, slots } = listOf([10, 20]);
  list.remove(slots[0]!);
  expect(() => list.remove(slots[0]!)).toThrow('lacks an event');
});
