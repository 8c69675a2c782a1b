import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { createDatabase } from './dataset/place.js';
import { type Contender, residentMegabytes, ROOT, startKalends } from './processes.js';
import { log } from './tell.js';

/**
 * Measures large calendars: `npm run bench:large -- 10000 200000`. For each size, with the index of events off and on: the
 * time to ready, resident memory, and how long expensive requests delay liveness probes and reads by id. SQLite, or
 * `--server URL`. `--url URL` takes a data set that `--keep` has left, `--root FOLDER` another built tree.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    url: { type: 'string' },
    keep: { type: 'boolean', default: false },
    index: { type: 'string', default: 'off,on' },
    root: { type: 'string', default: ROOT },
    seconds: { type: 'string', default: '10' },
  },
});

const agent = new Agent({ keepAlive: true });
const MOUNT = '/calendar/events/v1';
const ALL = 'start_date=1000-01-01';
const PROBE_PAUSE_MS = 5;
const RUNS = 5;
/** How long probes go on while the index of texts is built, in milliseconds. */
const BUILDING_MS = Number(values.seconds) * 1000;

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
    ['a word, without its index', `${MOUNT}/events?${ALL}&search=al`],
    ['a word, while its index is built', `${MOUNT}/events?${ALL}&search=festival`],
  ];
};

for (const size of positionals.map(Number)) {
  const database =
    values.url === undefined ? await createDatabase(values.server, `large_${size}`) : { url: values.url, drop: none };
  if (values.url === undefined) {
    log(`loading ${size} events`);
    await load(database.url, sizesFor(size));
  }
  for (const index of values.index.split(',')) await measure(size, database.url, index);
  if (values.keep) log(`kept: ${database.url}`);
  else await database.drop();
}

async function measure(size: number, url: string, index: string): Promise<void> {
  const began = performance.now();
  const service = await startKalends(url, { settings: { INDEX: index }, root: values.root });
  try {
    await until200(service, '/health/ready');
    const ready = (performance.now() - began) / 1000;
    say(`\n${size.toLocaleString('en-US')} events, INDEX=${index}: ready after ${ready.toFixed(1)} s`);
    say(`resident memory: ${residentMegabytes(service).toFixed(0)} MB at first`);
    for (let page = 1; page <= 50; page += 1) await get(service, `${MOUNT}/events?page=${page}&per_page=20`);
    say(`resident memory: ${residentMegabytes(service).toFixed(0)} MB after 50 lists\n`);
    say('| Request | Status | Took, ms | Longest liveness probe, ms | Longest read by id, ms |');
    say('| --- | --- | --: | --: | --: |');
    for (const [name, path] of dear(size)) say(await stall(service, name, path));
    say(`\nresident memory: ${residentMegabytes(service).toFixed(0)} MB after these`);
  } finally {
    await service.stop();
  }
}

/**
 * Sends an expensive request some times, each time with another date, so that no cache has it. Tells the shortest times,
 * because other programs use the machine, too.
 */
async function stall(service: Contender, name: string, path: string): Promise<string> {
  const isBuilding = name.includes('while');
  const runs: number[][] = [];
  for (let run = 0; run < (isBuilding ? 1 : RUNS); run += 1)
    runs.push(await stallOnce(service, path.replace('=1000-', `=${1000 + run}-`), isBuilding ? BUILDING_MS : 0));
  const shortest = [1, 2, 3].map((place) => Math.min(...runs.map((run) => run[place]!)).toFixed(0));
  return `| ${[name, runs[0]![0], ...shortest].join(' | ')} |`;
}

/** Returns status, time, longest liveness probe and longest read by id, in milliseconds. Probes go on for a while. */
async function stallOnce(service: Contender, path: string, behindMs: number): Promise<number[]> {
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
  await sleep(behindMs);
  isDone = true;
  return [status, took, ...(await probes)];
}

async function until200(service: Contender, path: string): Promise<void> {
  while ((await get(service, path)) !== 200) await sleep(20);
}

function get({ port }: Contender, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, agent }, (response) =>
      response.on('end', () => resolve(response.statusCode ?? 0)).resume(),
    )
      .on('error', reject)
      .end();
  });
}

function none(): Promise<void> {
  return Promise.resolve();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
