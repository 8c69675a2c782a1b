import { mkdtempSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../test/support/free-port.js';
import { ADMIN_TOKEN, ROOT } from './processes.js';

/**
 * Counts the files and functions of the service that one warm request enters, with V8's precise coverage. The service runs
 * in this process: node bench/dist/bench/hops.js [folder of another built tree] [--list]
 */
const WARM_UP = 5;
const RUNS = 5;
const EVENTS = 30;

const [root = ROOT] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isListing = process.argv.includes('--list');
const dist = pathToFileURL(join(resolve(root), 'dist/')).href;
const port = await freePort();
const url = `http://127.0.0.1:${port}/calendar/events/v1`;
const folder = mkdtempSync(join(tmpdir(), 'kalends-hops-'));

process.chdir(folder);
Object.assign(process.env, {
  HOST: '127.0.0.1',
  PORT: String(port),
  DATABASE_URL: `sqlite:${join(folder, 'hops.sqlite')}`,
  KALENDS_ADMIN_TOKEN: ADMIN_TOKEN,
  LOG_LEVEL: 'warn',
  WORKERS: '1',
});
await import(`${dist}main.js`);
await untilReady();
for (let count = 0; count < EVENTS; count += 1) await post(count);

const search = () => expectStatus(200, fetch(`${url}/events?search=x`));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
let day = EVENTS;
const create = () => post((day += 1));
await measure('GET /events?search=x, from the cache', search);
await measure('GET /events?search=x, the first after a commit', search, create);
await measure('POST /events', create);
process.kill(process.pid, 'SIGTERM');

async function measure(name: string, request: () => Promise<void>, before?: () => Promise<void>): Promise<void> {
  for (let count = 0; count < WARM_UP; count += 1) {
    await before?.();
    await request();
  }
  const runs: Entered[][] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await before?.();
    runs.push(await enteredBy(request));
  }
  // What runs meanwhile on its own, such as a timer, is not in all of them.
  const least = runs.toSorted((a, b) => functionsIn(a) - functionsIn(b))[0] ?? [];
  console.log(`${name}: ${least.length} files, ${functionsIn(least)} functions`);
  if (!isListing) return;
  for (const { file, functions } of least) console.log(`  ${file}: ${functions.join(', ')}`);
}

interface Entered {
  readonly file: string;
  readonly functions: readonly string[];
}

async function enteredBy(request: () => Promise<void>): Promise<Entered[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const entered = result
    .filter((script) => script.url.startsWith(dist))
    .map((script) => ({
      file: script.url.slice(dist.length),
      functions: script.functions
        .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ functions }) => functions.length > 0);
  return entered.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function functionsIn(entered: readonly Entered[]): number {
  return entered.reduce((sum, { functions }) => sum + functions.length, 0);
}

/** An event of a day of its own, with one of each kind of link. */
function post(day: number): Promise<void> {
  const date = new Date(Date.now() + (day + 1) * 86_400_000).toISOString().slice(0, 10);
  const body = JSON.stringify({
    title: `x ${day}`,
    start_date: `${date} 20:00`,
    end_date: `${date} 22:00`,
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Ada' },
    categories: ['Music'],
    tags: ['jazz'],
  });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  return expectStatus(201, fetch(`${url}/events`, { method: 'POST', headers, body }));
}

async function expectStatus(status: number, response: Promise<Response>): Promise<void> {
  const { status: given } = await response;
  if (given !== status) throw new Error(`${given} instead of ${status}: ${await (await response).text()}`);
  await (await response).arrayBuffer();
}

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const isReady = await fetch(`${url}/events`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  throw new Error('the service did not start');
}
