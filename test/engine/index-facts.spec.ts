import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { LINKED, LINKED_NAMES } from '../../src/events/event.link-kinds.js';
import type { EventFacts } from '../../src/events/index/event-facts.js';
import { allFacts } from '../../src/events/index/facts-query.js';
import { MAX_ITEMS } from '../../src/platform/http/fields/coercion.js';
import { useApp } from '../support/events.js';
import { insertEvents } from '../support/rows.js';

const app = useApp();

/** The number of events in one text of facts, and of events that surely fill one. */
const EVENTS = 2 * 16;
/** The highest ids, which are the longest. */
const IDS = Array.from({ length: MAX_ITEMS }, (_, index) => 4_294_960_000 + index);
const TERM_IDS = [...IDS, ...IDS.map((id) => id - MAX_ITEMS)];

/** Links records that need not exist, because facts are read from the links alone. */
async function linkAll(eventIds: readonly number[]): Promise<void> {
  await app()
    .app.get(Database)
    .inTransaction(async (tx) => {
      for (const event_id of eventIds) {
        for (const name of LINKED_NAMES) {
          const { linkTable, linkColumn } = LINKED[name].kind;
          const rows = IDS.map((id, position) => ({ event_id, [linkColumn]: id, position }));
          await tx.insertMany(linkTable, rows);
        }
        const rows = TERM_IDS.map((term_id) => ({ event_id, term_id }));
        await tx.insertMany(TABLES.eventTerms, rows);
      }
    });
}

/** Reads the facts of all events from an id on. */
async function factsFrom(firstId: number): Promise<EventFacts[]> {
  const facts: EventFacts[] = [];
  for await (const some of allFacts(app().app.get(Database).scans, 0)) facts.push(...some);
  return facts.filter(({ id }) => id >= firstId);
}

test('facts of events whose ids are far apart are all there, with their own links', async () => {
  const [first] = await insertEvents(app(), [{ terms: [7, 8] }]);
  const far = [1_999, 2_000, 2_001, 2_002, 10_000, 4_000_000].map((distance) => first! + distance);
  for (const id of far) await insertEvents(app(), [{ id, terms: [id % 100, 7] }]);
  const facts = await factsFrom(first!);
  expect(facts.map(({ id }) => id)).toEqual([first, ...far]);
  expect(facts.map(({ termIds }) => termIds.toSorted((a, b) => a - b))).toEqual([
    [7, 8],
    ...far.map((id) => [id % 100, 7].toSorted((a, b) => a - b)),
  ]);
});

test('facts of events with the most links that an event may have are whole', { timeout: 240_000 }, async () => {
  const eventIds = await insertEvents(
    app(),
    Array.from({ length: EVENTS }, () => ({})),
  );
  await linkAll(eventIds);
  const facts = await factsFrom(eventIds[0]!);
  expect(facts.map(({ id }) => id)).toEqual(eventIds);
  for (const { linkedIds, termIds } of facts) {
    const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
    for (const name of LINKED_NAMES) expect(sorted(linkedIds[name])).toEqual(IDS);
    expect(sorted(termIds)).toEqual(sorted(TERM_IDS));
  }
});
