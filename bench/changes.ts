import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BetterSqlite3 } from '../src/database/connection/sqlite-driver.js';
import { type ChangeToken, readToken, writeToken } from '../src/database/cache/change-token.js';
import { createEvent, median, newDatabase, report } from './embedded.js';
import { ADMIN_TOKEN, command, cpuMicroseconds, residentMegabytes, startKalends } from './processes.js';

/*
 * The change feed against lists of the same service, on SQLite: node bench/dist/bench/changes.js
 * Prints each ratio with its bound (changes section 3). Requests alternate, so that disturbances affect both sides.
 */
const EVENTS = 5_000;
const ROWS = 1_000_000;
const ROWS_PER_COMMIT = 280;
const WAITERS = 1_000;
const ADDRESSES = 50;
const ROUNDS = 40;

const database = await newDatabase('changes');
const { folder, file, url } = database;
const agent = new Agent({ keepAlive: true });
let unique = 0;

writeFileSync(join(folder, 'events.jsonl'), lines(EVENTS));
await command('import', url, [join(folder, 'events.jsonl')]);
let service = await startKalends(url);
try {
  await compareFollowUp();
  await compareNothingNew();
  await compareFirstFill();
  await measureWaiters();
  await compareLongRecord();
} finally {
  await service.stop();
  agent.destroy();
  database.remove();
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      title: `Evening ${n}`,
      description: `<p>${'Doors open at seven, and the band begins at eight. '.repeat(20)}</p>`,
      start_date: `2027-0${1 + (n % 9)}-1${n % 10} 20:00`,
      end_date: `2027-0${1 + (n % 9)}-1${n % 10} 23:00`,
      venue: { venue: `Hall ${n % 50}`, city: 'Lyon' },
      categories: [`Category ${n % 20}`],
      tags: [`Tag ${n % 30}`],
    }),
  ).join('\n');
}

interface Answer {
  readonly text: string;
  readonly milliseconds: number;
}

function get(path: string, token?: string, options: object = {}): Promise<Answer> {
  const began = performance.now();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      { port: service.port, host: '127.0.0.1', path: `/calendar/events/v1${path}`, headers, agent, ...options },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (answer.statusCode === 200) resolve({ text, milliseconds: performance.now() - began });
          else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
        });
      },
    );
    sent.on('error', reject).end();
  });
}

async function body(path: string, token?: string) {
  return JSON.parse((await get(path, token)).text) as Record<string, unknown> & { next_since: string };
}

/** Returns the ratio of the medians of two kinds of requests. */
async function ratio(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<string> {
  const [times, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push((await one()).milliseconds);
    others.push((await other()).milliseconds);
  }
  const [found, against] = [median(times.slice(5)), median(others.slice(5))];
  return `${(found / against).toFixed(2)} (${found.toFixed(1)} ms, ${against.toFixed(1)} ms)`;
}

async function compareFollowUp(): Promise<void> {
  const { next_since: since } = await body('/changes?since=now', ADMIN_TOKEN);
  for (let n = 0; n < 100; n += 1)
    await createEvent(service, { venue: 1 + (n % 50), categories: [`Category ${n % 20}`] });
  const ids = Array.from({ length: 100 }, (_, n) => EVENTS + 1 + n).join();
  const found = await ratio(
    () => get(`/changes?since=${since}`, ADMIN_TOKEN),
    () => get(`/events?include=${ids}&per_page=100`, ADMIN_TOKEN),
  );
  report('follow-up of 100 records / list of the same ids', found, '<= 1.3');
}

async function compareNothingNew(): Promise<void> {
  const { next_since: since } = await body('/changes?since=now');
  const found = await ratio(
    () => get('/events'),
    () => get(`/changes?since=${since}`),
  );
  report('recalled list / follow-up with nothing new (times)', found, '>= 0.9');
}

async function compareFirstFill(): Promise<void> {
  const walk = async (path: string, next: (found: Record<string, unknown>) => string | undefined) => {
    const began = performance.now();
    for (let at: string | undefined = path; at !== undefined;) at = next(await body(at, ADMIN_TOKEN));
    return performance.now() - began;
  };
  const below = (link: unknown) => (link as string | undefined)?.replace(/^.*\/calendar\/events\/v1/, '');
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    times[0].push(await walk('/changes', ({ next_rest_url }) => below(next_rest_url)));
    times[1].push(
      await walk('/events?per_page=100&starts_after=2000-01-01', ({ next_rest_url }) => below(next_rest_url)),
    );
  }
  const [fill, list] = [median(times[0]), median(times[1])];
  report(`first fill / walk of the list (${EVENTS} events)`, (fill / list).toFixed(2), '<= 1.2');
}

async function measureWaiters(): Promise<void> {
  const { next_since: since } = await body('/changes?since=now');
  const before = residentMegabytes(service);
  const sent = Array.from({ length: WAITERS }, (_, n) => {
    const localAddress = `127.0.0.${1 + (n % ADDRESSES)}`;
    return get(`/changes?since=${since}&wait=55`, undefined, { agent: false, localAddress }).then(() =>
      performance.now(),
    );
  });
  await sleep(8_000);
  const memory = residentMegabytes(service) - before;
  const cpu = cpuMicroseconds(service);
  const began = performance.now();
  await sleep(10_000);
  const share = (cpuMicroseconds(service) - cpu) / ((performance.now() - began) * 1000);
  await createEvent(service);
  const committed = performance.now();
  const reached = (await Promise.all(sent)).map((time) => time - committed).sort((a, b) => a - b);
  report(`${WAITERS} waiting: share of a core`, `${(share * 100).toFixed(1)} %`, '< 5 %');
  report(`${WAITERS} waiting: memory`, `${memory.toFixed(0)} MB`, '< 40 MB');
  report('a commit reaches them, p99', `${reached[Math.floor(WAITERS * 0.99)]!.toFixed(0)} ms`, '< 1000 ms');
}

/** Adds changes to the record directly, half of them of drafts, and compares its ends. */
async function compareLongRecord(): Promise<void> {
  const editor = readToken((await body('/changes?since=now', ADMIN_TOKEN)).next_since)!;
  const anonymous = readToken((await body('/changes?since=now')).next_since)!;
  await service.stop();
  addRows(editor.position.seq, 1);
  service = await startKalends(url);
  const at = (token: ChangeToken, seq: number) => `since=${writeToken({ ...token, position: { seq } })}`;
  const first = editor.position.seq;
  const commits = Math.ceil(ROWS / ROWS_PER_COMMIT);
  const later = first + commits;
  const page = (seq: number) => get(`/changes?${at(editor, seq)}&records=false`, ADMIN_TOKEN);
  const ends = await ratio(
    () => page(later - 10),
    () => page(first),
  );
  report(`page at the end of ${ROWS} changes / at the start`, ends, '<= 1.2');
  await service.stop();
  addRows(later, 0);
  service = await startKalends(url);
  // A new parameter each time bypasses the cache of responses.
  const follow = (seq: number) => get(`/changes?${at(anonymous, seq)}&_=${(unique += 1)}`);
  const drafts = await ratio(
    () => follow(later),
    () => follow(later + commits),
  );
  report(`anonymous follow-up over ${ROWS} changes of drafts / over none`, drafts, '<= 1.5');
}

function addRows(from: number, listed: 0 | 1): void {
  const database = new BetterSqlite3(file);
  const insert = database.prepare(
    `INSERT INTO changes (seq, kind, record_id, user_id, made_utc, listed_before, listed_after, listed, owner_id)
     VALUES (?, 'event.updated', ?, 0, '2026-11-23 12:00:00', ?, ?, ?, 1)`,
  );
  database.transaction(() => {
    for (let n = 0; n < ROWS; n += 1) {
      insert.run(from + 1 + Math.floor(n / ROWS_PER_COMMIT), 1 + (n % EVENTS), listed, listed, listed);
    }
    database.prepare('UPDATE data_version SET version = ?').run(from + Math.ceil(ROWS / ROWS_PER_COMMIT));
  })();
  database.close();
}
