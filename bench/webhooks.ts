import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEvent, type EmbeddedDatabase, median, newDatabase, percentile, report, send } from './embedded.js';
import { command, type Contender, cpuMicroseconds, startKalends } from './processes.js';

/*
 * Webhooks on SQLite, against the same service without any: node bench/dist/bench/webhooks.js [PART…]
 * Prints each figure with its bound (webhooks section 6). Two services take turns, so that disturbances affect both.
 */
const ROUNDS = 9;
const CREATES_PER_ROUND = 400;
const WRITERS = 4;
const ENDPOINTS = 10;
const IMPORTED = 6_008;
const IMPORTS = 3;
const IDLE_ENDPOINTS = 50;
const IDLE_MS = 20_000;
const WRITES_PER_SECOND = 50;
const LATENCY_WRITES = 1_000;
const BACKLOG = 3_000;
const SETTINGS = { WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '127.0.0.0/8' };
const DRAIN_LOOK_MS = 100;

interface Message {
  readonly data: { readonly type: string; readonly id: number };
}

/** Called with each message that the receiver gets. */
let onMessage: (message: Message) => void = () => undefined;
const receiver = createServer((request: IncomingMessage, response: ServerResponse) => {
  if (request.url === HANGS) return;
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    response.end();
    onMessage(JSON.parse(text) as Message);
  });
}).listen(0, '127.0.0.1');
const HANGS = '/hangs';
await once(receiver, 'listening');
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
/** A port at which nothing listens. */
const DOWN = 'http://127.0.0.1:1024/';

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  creates: compareCreates,
  latency: measureLatency,
  backlog: measureBacklog,
  import: compareImports,
  idle: measureIdle,
};
const databases: EmbeddedDatabase[] = [];
const services: Contender[] = [];
const names = process.argv.slice(2);
try {
  for (const [name, measure] of Object.entries(PARTS)) if (names.length === 0 || names.includes(name)) await measure();
} finally {
  for (const service of services) await service.stop();
  for (const database of databases) database.remove();
  receiver.closeAllConnections();
  receiver.close();
}

/** Starts a service with a database of its own. */
async function newService(): Promise<Contender & { readonly database: EmbeddedDatabase }> {
  const database = await newDatabase('webhooks');
  databases.push(database);
  const service = await startKalends(database.url, { settings: SETTINGS });
  services.push(service);
  return { ...service, database };
}

async function addWebhook(service: Contender, url = `${origin}/hooks`): Promise<number> {
  return (await send(service, '/webhooks', { url })).id;
}

/** Waits until no message waits for its first attempt, so that sending does not disturb what is measured next. */
async function drain(service: Contender): Promise<void> {
  const pending = async () => {
    const { webhooks } = await send<{ webhooks: { pending: number }[] }>(service, '/webhooks', undefined, 'GET');
    return webhooks.some((webhook) => webhook.pending > 0);
  };
  await sleep(2 * DRAIN_LOOK_MS);
  while (await pending()) await sleep(DRAIN_LOOK_MS);
}

async function compareCreates(): Promise<void> {
  const [none, some] = [await newService(), await newService()];
  for (let n = 0; n < ENDPOINTS; n += 1) await addWebhook(some);
  const rounds: Record<'none' | 'some', Creates>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each is first every other time.
    const first = round % 2 === 0 ? await creates(none) : undefined;
    const by = await creates(some);
    rounds.push({ none: first ?? (await creates(none)), some: by });
    await drain(some);
  }
  const ratioOf = (key: keyof Creates) => median(rounds.slice(2).map((pair) => pair.some[key] / pair.none[key]));
  const rate = (side: 'none' | 'some') => median(rounds.slice(2).map((pair) => pair[side].perSecond)).toFixed(0);
  const found = `${ratioOf('perSecond').toFixed(2)} (${rate('some')} and ${rate('none')} a second)`;
  report(`creates with ${ENDPOINTS} webhooks / with none`, found, '>= 0.95');
  // Other programs disturb it less.
  report('the same by processor time of the service', ratioOf('perCpuSecond').toFixed(2), '>= 0.95');
}

interface Creates {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Measures creates of some writers at once. */
async function creates(service: Contender): Promise<Creates> {
  const [began, cpu] = [performance.now(), cpuMicroseconds(service)];
  let done = 0;
  const write = async () => {
    while (done < CREATES_PER_ROUND) {
      done += 1;
      await createEvent(service);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const cpuSeconds = (cpuMicroseconds(service) - cpu) / 1_000_000;
  const perSecond = (CREATES_PER_ROUND * 1_000) / (performance.now() - began);
  return { perSecond, perCpuSecond: CREATES_PER_ROUND / cpuSeconds };
}

async function measureLatency(): Promise<void> {
  const service = await newService();
  await addWebhook(service);
  await times(service);
  const alone = await times(service);
  report('commit to receiver, p50', `${percentile(alone, 0.5).toFixed(0)} ms`, '< 300 ms');
  report('commit to receiver, p99', `${percentile(alone, 0.99).toFixed(0)} ms`, '< 2000 ms');
  await addWebhook(service, `${origin}${HANGS}`);
  await addWebhook(service, DOWN);
  const beside = await times(service);
  const found = percentile(beside, 0.99) / percentile(alone, 0.99);
  report('p99 beside a receiver that hangs and one that is down / without', found.toFixed(2), '< 1.2');
}

/** Returns the times from the answers to writes, which follow their commits, to the messages, in milliseconds. */
async function times(service: Contender): Promise<number[]> {
  const arrived = new Map<number, number>();
  onMessage = ({ data }) => arrived.set(data.id, performance.now());
  const committed = new Map<number, number>();
  const began = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n < LATENCY_WRITES; n += 1) {
    await sleep(Math.max(0, began + (n * 1_000) / WRITES_PER_SECOND - performance.now()));
    sent.push(createEvent(service).then((made) => committed.set(made.id, performance.now())));
  }
  await Promise.all(sent);
  while ([...committed.keys()].some((id) => !arrived.has(id))) await sleep(50);
  return [...committed].map(([event, at]) => Math.max(0, arrived.get(event)! - at));
}

/** Measures how fast a process sends what has waited while a webhook was paused. */
async function measureBacklog(): Promise<void> {
  const service = await newService();
  const id = await addWebhook(service);
  await send(service, `/webhooks/${id}`, { active: false }, 'PUT');
  let [count, first] = [0, 0];
  onMessage = () => {
    if ((count += 1) === 1) first = performance.now();
  };
  for (let made = 0; made < BACKLOG; made += WRITERS)
    await Promise.all(Array.from({ length: WRITERS }, () => createEvent(service)));
  await send(service, `/webhooks/${id}`, { active: true }, 'PUT');
  while (count < BACKLOG) await sleep(20);
  report('deliveries a second to one receiver', ((count * 1_000) / (performance.now() - first)).toFixed(0), '>= 300');
}

/** Compares imports beside a service that sends and beside one that does not. Each import has new data. */
async function compareImports(): Promise<void> {
  const [none, some] = [await newService(), await newService()];
  await addWebhook(some);
  const seconds: Record<'none' | 'some', number[]> = { none: [], some: [] };
  for (let round = 0; round < IMPORTS; round += 1) {
    seconds.none.push(await importTime(none));
    seconds.some.push(await importTime(some));
    await drain(some);
  }
  const [without, by] = [median(seconds.none), median(seconds.some)];
  const found = `${(without / by).toFixed(2)} (${by.toFixed(1)} s and ${without.toFixed(1)} s)`;
  report(`import of ${IMPORTED} events with a webhook / without, by speed`, found, '>= 0.95');
}

async function importTime({ database }: { readonly database: EmbeddedDatabase }): Promise<number> {
  const file = join(database.folder, 'events.jsonl');
  const line = (n: number) => ({
    title: `Evening ${n}`,
    start_date: `2027-0${1 + (n % 9)}-1${n % 10} 20:00`,
    end_date: `2027-0${1 + (n % 9)}-1${n % 10} 23:00`,
    venue: { venue: `Hall ${n % 50}`, city: 'Lyon' },
  });
  writeFileSync(file, Array.from({ length: IMPORTED }, (_, n) => JSON.stringify(line(n))).join('\n'));
  const began = performance.now();
  await command('import', database.url, [file]);
  return (performance.now() - began) / 1_000;
}

async function measureIdle(): Promise<void> {
  const [none, some] = [await newService(), await newService()];
  for (let n = 0; n < IDLE_ENDPOINTS; n += 1) await addWebhook(some);
  await sleep(5_000);
  const [before, beforeSome] = [cpuMicroseconds(none), cpuMicroseconds(some)];
  await sleep(IDLE_MS);
  const share = (cpuMicroseconds(some) - beforeSome - (cpuMicroseconds(none) - before)) / (IDLE_MS * 1_000);
  report(`${IDLE_ENDPOINTS} idle webhooks: share of a core`, `${(share * 100).toFixed(1)} %`, '< 1 %');
}
