import { request } from 'node:http';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { createDatabase } from './dataset/place.js';
import { type Contender, startKalends } from './processes.js';

/**
 * Compares iCalendar feeds with lists of the same events: node bench/dist/bench/feeds.js [DATABASE_URL of a server; else SQLite]. Each
 * ratio is of the shortest times, because both requests are measured alternately on one machine (ical 5).
 */
const EVENTS = 8_000;
const FEED = 5_000;
const ROUNDS = 5;
const SINGLES = 100;

/** The ETags of responses so far. */
const tags = new Map<string, string>();

const database = await createDatabase(process.argv[2], 'feeds');
await load(database.url, sizesFor(EVENTS));
const uncached = await startKalends(database.url, { settings: { CACHE_ENTRIES: '0' } });
const cached = await startKalends(database.url, { settings: { CACHE_ENTRIES: '200000' } });
try {
  const isGood = [
    atMost('a feed of 5,000 events, in 50 pages of 100, uncached', 2, await timesOf(uncached, feed, pages)),
    atLeast('a single .ics, in requests a second of the JSON, uncached', 0.7, await timesOf(uncached, json, singles)),
    atLeast('a single .ics, in requests a second of the JSON, cached', 0.9, await timesOf(cached, json, singles)),
    atLeast('a feed, unchanged (304), in lists of 100 from the cache', 0.9, await timesOf(cached, list, unchanged)),
  ];
  process.exitCode = isGood.every(Boolean) ? 0 : 1;
} finally {
  for (const contender of [uncached, cached]) await contender.stop();
  await database.drop();
}

type Work = (contender: Contender) => Promise<void>;

async function feed(contender: Contender): Promise<void> {
  await get(contender, '/events.ics?start_date=2000-01-01&end_date=9999-12-31', 200);
}

async function pages(contender: Contender): Promise<void> {
  for (let page = 1; page <= FEED / 100; page += 1)
    await get(contender, `/events?start_date=2000-01-01&end_date=9999-12-31&per_page=100&page=${page}`, 200);
}

async function singles(contender: Contender): Promise<void> {
  for (let id = 1; id <= SINGLES; id += 1) await get(contender, `/events/${id}.ics`, 200, 403);
}

async function json(contender: Contender): Promise<void> {
  for (let id = 1; id <= SINGLES; id += 1) await get(contender, `/events/${id}`, 200, 403);
}

async function list(contender: Contender): Promise<void> {
  for (let count = 0; count < SINGLES; count += 1) await get(contender, '/events?per_page=100', 200);
}

async function unchanged(contender: Contender): Promise<void> {
  for (let count = 0; count < SINGLES; count += 1) await get(contender, '/events.ics', 304);
}

/** Returns the shortest times of two kinds of work, measured alternately, in milliseconds. */
async function timesOf(contender: Contender, one: Work, other: Work): Promise<readonly [number, number]> {
  let [first, second] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    first = Math.min(first, await timeOf(contender, one));
    second = Math.min(second, await timeOf(contender, other));
  }
  return [first, second];
}

async function timeOf(contender: Contender, work: Work): Promise<number> {
  const began = performance.now();
  await work(contender);
  return performance.now() - began;
}

function atMost(name: string, limit: number, [one, other]: readonly [number, number]): boolean {
  return printed(name, one / other, one / other <= limit);
}

function atLeast(name: string, limit: number, [one, other]: readonly [number, number]): boolean {
  return printed(name, one / other, one / other >= limit);
}

function printed(name: string, ratio: number, isGood: boolean): boolean {
  console.log(`${isGood ? 'ok ' : 'BAD'} ${ratio.toFixed(2)} ${name}`);
  return isGood;
}

/** Sends a request. One that should get 304 sends the ETag of the first response to it. */
async function get({ port }: Contender, path: string, ...statuses: readonly number[]): Promise<void> {
  const key = `${port} ${path}`;
  const tag = statuses.includes(304) ? tags.get(key) : undefined;
  const headers = { host: 'localhost:3000', ...(tag === undefined ? {} : { 'if-none-match': tag }) };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: `/calendar/events/v1${path}`, headers }, (response) => {
      tags.set(key, String(response.headers.etag));
      response.on('end', () => resolve(response.statusCode)).resume();
    })
      .on('error', reject)
      .end();
  });
  const isExpected = statuses.includes(status!) || (statuses.includes(304) && tag === undefined);
  if (!isExpected) throw new Error(`${path} answered ${status}`);
}
