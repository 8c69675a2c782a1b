import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSet, forEachDataSet, say } from './data-sets.js';
import { listsAfterCommit } from './large-lists.js';
import { awaitWords, wordTable } from './large-words.js';
import { type Contender, residentMegabytes, ROOT, startKalends } from './processes.js';
import { ask, MOUNT } from './single-request.js';

/**
 * Measures large calendars: `npm run bench:large -- 10000 200000`. For each size, with the index of events off and on: the
 * time to ready, resident memory, lists by date right after commits, how long expensive requests delay liveness probes and
 * reads by id, and searches. SQLite, `--server URL` or `--own-server`. `--url URL` takes a data set that `--keep` has left,
 * `--root FOLDER` another built tree.
 */
const ALL = 'start_date=1000-01-01';
const PROBE_PAUSE_MS = 5;
const RUNS = 5;

/** Expensive requests. Deep pages are near the end of the list. */
const dear = (events: number): [name: string, path: string][] => {
  const deep = (filter: string) => `${MOUNT}/events?${ALL}&${filter}&per_page=20&page=${Math.floor(events / 50)}`;
  return [
    ...['title', 'modified', 'date', 'end_date', 'id'].map((order): [string, string] => [
      `a deep page by ${order}`,
      deep(`orderby=${order}`),
    ]),
    ['a deep page by start', deep('order=desc')],
    ['a category by title', deep('categories=1&orderby=title').replace(/page=\d+$/, 'page=2')],
    ['venues with upcoming events', `${MOUNT}/venues?only_with_upcoming=true`],
    ['a walk over all records (/changes)', `${MOUNT}/changes?per_page=100`],
    ['a feed of 5,000 events', `${MOUNT}/events.ics?${ALL}`],
  ];
};
/** The first search begins the index of words. */
const WORD: [name: string, path: string] = ['a word, without its index', `${MOUNT}/events?${ALL}&search=al`];

await forEachDataSet('large', { index: 'off,on', seconds: '10' }, async (set) => {
  for (const index of set.index.split(',')) await measure(set, index);
});

async function measure(set: DataSet, index: string): Promise<void> {
  const began = performance.now();
  const service = await startKalends(set.url, {
    settings: { INDEX: index, SEARCH_INDEX_FROM: '1' },
    root: set.root ?? ROOT,
  });
  const tellMemory = (when: string) => say(`\nresident memory: ${residentMegabytes(service).toFixed(0)} MB ${when}`);
  try {
    const ready = (performance.now() - began) / 1000;
    say(`\nINDEX=${index}: ready after ${ready.toFixed(1)} s`);
    tellMemory('at first');
    for (let page = 1; page <= 50; page += 1) await get(service, `${MOUNT}/events?page=${page}&per_page=20`);
    tellMemory('after 50 lists');
    say(`\n${await listsAfterCommit(set, service)}`);
    tellMemory('after the lists by date');
    say('\n| Request | Status | Took, ms | Longest liveness probe, ms | Longest read by id, ms |');
    say('| --- | --- | --: | --: | --: |');
    for (const [name, path] of dear(set.sizes.events)) say(await stall(service, name, path));
    const firstSearch = performance.now();
    say(await stall(service, ...WORD));
    tellMemory('after these');
    await awaitWords(set, service, firstSearch);
    say(`\n${await wordTable(service)}`);
    tellMemory('after the searches');
  } finally {
    await service.stop();
  }
}

/**
 * Sends an expensive request some times, each time with another date, so that no cache has it. Tells the shortest times,
 * because other programs use the machine, too.
 */
async function stall(service: Contender, name: string, path: string): Promise<string> {
  const runs: number[][] = [];
  for (let run = 0; run < RUNS; run += 1)
    runs.push(await stallOnce(service, path.replace('=1000-', `=${1000 + run}-`)));
  const shortest = [1, 2, 3].map((place) => Math.min(...runs.map((run) => run[place]!)).toFixed(0));
  return `| ${[name, runs[0]![0], ...shortest].join(' | ')} |`;
}

/** Returns status, time, longest liveness probe and longest read by id, in milliseconds. */
async function stallOnce(service: Contender, path: string): Promise<number[]> {
  let isDone = false;
  const probe = async (probed: string) => {
    let longest = 0;
    for (let n = 1; !isDone; n += 1) {
      const began = performance.now();
      await get(service, probed.replace('ID', String(1 + ((n * 7_919) % 10_000))));
      longest = Math.max(longest, performance.now() - began);
      await sleep(PROBE_PAUSE_MS);
    }
    return longest;
  };
  const probes = Promise.all([probe('/health/live'), probe(`${MOUNT}/events/ID`)]);
  await sleep(100);
  const began = performance.now();
  const status = await get(service, path);
  const took = performance.now() - began;
  isDone = true;
  return [status, took, ...(await probes)];
}

async function get(service: Contender, path: string): Promise<number> {
  return (await ask(service, path)).status;
}
