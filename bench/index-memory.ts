import { byName } from '../src/events/event.link-kinds.js';
import { EventIndex } from '../src/events/index/event-index.js';
import type { EventFacts } from '../src/events/index/event-facts.js';
import { selectedPage } from '../src/events/index/selected-page.js';
import type { Selection } from '../src/events/index/event-selection.js';
import { ANONYMOUS, callerWith } from '../src/kernel/caller.js';
import { Random } from './dataset/random.js';
import { sizesFor } from './dataset/bodies.js';

/**
 * Measures the index of events alone, without a database: bytes an event, the time to build it, of lists and of changes.
 * `npm run bench:index -- 10000 1000000`.
 */
const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const CATEGORIES = 50;
const EVENTS_PER_LOAD = 20_000;
const REPEATS = 200;

for (const size of process.argv.slice(2).map(Number)) await measureSize(size);

async function measureSize(events: number): Promise<void> {
  const { venues, organizers, tags } = sizesFor(events);
  const random = new Random(events);
  const factsOf = (id: number): EventFacts => {
    const start =
      NOW + Math.floor((random.chance(0.55) ? -random.next() * 5 : random.next() * 2) * 365) * DAY + (id % DAY);
    const isTrashed = random.chance(0.01);
    return {
      id,
      start,
      end: start + random.pick([1800, 3600, 7200, DAY, 3 * DAY]),
      publicFrom: isTrashed ? Infinity : NOW - random.whole(-300, 1500) * DAY,
      status: isTrashed ? 'trash' : 'publish',
      trashedFrom: isTrashed ? 'publish' : null,
      isHidden: random.chance(0.01),
      isFeatured: random.chance(0.05),
      isTicketed: random.chance(0.3),
      isProtected: random.chance(0.01),
      authorId: 1,
      parentId: 0,
      linkedIds: {
        ...byName(() => []),
        venue: random.chance(0.92) ? [random.popular(venues)] : [],
        organizer: random.distinct(random.whole(0, 2), () => random.popular(organizers)),
      },
      termIds: [
        ...random.distinct(random.whole(1, 3), () => random.popular(CATEGORIES)),
        ...random.distinct(random.whole(0, 5), () => CATEGORIES + random.popular(tags)),
      ],
    };
  };
  const before = memory();
  let seconds = 0;
  const index = new EventIndex(NOW);
  for (let id = 17; id <= CATEGORIES; id += 1) await index.keys.setTerm(id, 1 + (id % 16));
  for (let first = 1; first <= events; first += EVENTS_PER_LOAD) {
    const facts = Array.from({ length: Math.min(EVENTS_PER_LOAD, events - first + 1) }, (_, n) => factsOf(first + n));
    seconds += await timed(() => index.load(facts));
  }
  seconds += await timed(() => index.build());
  const after = memory();
  say(
    `${events.toLocaleString('en-US')} events: ${seconds.toFixed(2)} s to build, ${((after - before) / events).toFixed(0)} bytes an event`,
  );
  const number = (kind: 'term' | 'venue', id: number) => new Set([index.keys.lists.numberOf(kind, id) ?? -1]);
  const default_ = selection({});
  const lists: [string, Selection, number][] = [
    ['default list', default_, 0],
    ['page 40,000, or the last tenth', default_, Math.min(400_000, events / 3)],
    ['category', selection({ groups: [number('term', 1)], isRevealing: true }), 0],
    ['venue', selection({ groups: [number('venue', 1)], isRevealing: true }), 0],
    [
      'featured',
      selection({
        groups: [new Set([index.keys.lists.numberOf('featured') ?? -1])],
        isFeatured: true,
        isRevealing: true,
      }),
      0,
    ],
    ['category and tag', selection({ groups: [number('term', 1), number('term', 51)], isRevealing: true }), 0],
    ['category, descending', selection({ groups: [number('term', 1)], isRevealing: true }), -1],
    [
      "editor's list",
      selection({ caller: callerWith(2, 'editor'), statuses: ['publish', 'future', 'draft', 'pending', 'private'] }),
      0,
    ],
    [
      "author's list",
      selection({ caller: callerWith(2, 'author'), statuses: ['publish', 'future', 'draft', 'pending', 'private'] }),
      0,
    ],
  ];
  for (const [name, asked, offset] of lists) {
    const part = { offset: Math.max(0, Math.floor(offset)), size: 10, isDescending: offset < 0 };
    const page = () => selectedPage(index, asked, part);
    const { total } = page();
    const repeats = (await timed(page)) > 0.005 ? 10 : REPEATS;
    const all = await timed(() => {
      for (let n = 0; n < repeats; n += 1) page();
    });
    say(`  ${name}: ${((all / repeats) * 1e6).toFixed(0)} µs, total ${total.toLocaleString('en-US')}`);
  }
  const changed = Array.from({ length: 2_000 }, () => factsOf(random.whole(1, events)));
  const changes = await timed(() => changed.forEach((facts) => index.put(facts)));
  say(`  one changed event: ${((changes / changed.length) * 1e6).toFixed(0)} µs`);
  say(
    `  clock set back and forward: ${((await timed(() => [NOW - DAY, NOW].forEach((time) => index.moveTo(time)))) * 1e3).toFixed(0)} ms`,
  );
}

function selection(further: Partial<Selection>): Selection {
  return {
    start: [
      { op: '>=', utc: utc(NOW - DAY) },
      { op: '<', utc: utc(NOW + 731 * DAY) },
    ],
    end: [{ op: '<', utc: utc(NOW + 731 * DAY) }],
    statuses: ['publish'],
    isHidden: false,
    isFeatured: undefined,
    isTicketed: undefined,
    parentId: undefined,
    ids: undefined,
    found: undefined,
    groups: [],
    isRevealing: false,
    caller: ANONYMOUS,
    ...further,
  };
}

function utc(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function memory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns the processor time of some work, in seconds. */
async function timed(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
