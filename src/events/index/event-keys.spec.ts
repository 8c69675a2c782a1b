import { setImmediate as nextTurn } from 'node:timers/promises';
import { factsOf } from '../../../test/support/event-facts.js';
import { EventIndex } from './event-index.js';

const NOW = 1_000_000;
const EVENTS = 60_000;
const [MOVED, PARENT, OTHER] = [1, 2, 3];

/** An index of events, two thirds of them in one category. Each third event becomes public ten seconds after `NOW`. */
async function filled(): Promise<EventIndex> {
  const index = new EventIndex(NOW);
  for (let id = 1; id <= EVENTS; id += 1) {
    const termIds = [id % 3 === 0 ? OTHER : MOVED];
    index.load([factsOf(id, NOW + ((id * 7919) % EVENTS), { termIds, publicFrom: id % 3 === 1 ? NOW + 10 : NOW })]);
  }
  await index.build();
  return index;
}

/** Runs `work` and returns how many turns the event loop had meanwhile. */
async function turnsOf(work: () => Promise<void>): Promise<number> {
  let [turns, isDone] = [0, false];
  const running = work().finally(() => (isDone = true));
  for (; !isDone; turns += 1) await nextTurn();
  await running;
  return turns;
}

const sizeOf = (index: EventIndex, term: number) => index.keys.lists.find('term', term)?.size ?? 0;

test('a category with tens of thousands of events moves in turns, during which events become public', async () => {
  const index = await filled();
  const turns = await turnsOf(async () => {
    const moved = index.keys.setTerm(MOVED, PARENT);
    await nextTurn();
    index.moveTo(NOW + 10);
    await moved;
  });
  expect(turns).toBeGreaterThan(2);
  expect([MOVED, PARENT, OTHER].map((term) => sizeOf(index, term))).toEqual([40_000, 40_000, 20_000]);
  expect([MOVED, PARENT].map((term) => index.keys.publicEventsOf('term', term))).toEqual([40_000, 0]);
  const chunks = index.keys.lists.find('term', PARENT)?.chunks ?? [];
  expect(chunks.reduce((sum, { open }) => sum + open, 0)).toBe(40_000);
});

test('a category with tens of thousands of events is deleted in turns', async () => {
  const index = await filled();
  await index.keys.setTerm(MOVED, PARENT);
  expect(await turnsOf(() => index.keys.removeTerm(MOVED))).toBeGreaterThan(2);
  expect([MOVED, PARENT, OTHER].map((term) => sizeOf(index, term))).toEqual([0, 0, 20_000]);
  expect(index.keys.publicEventsOf('term', MOVED)).toBe(0);
});
