import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ADMIN_TOKEN, type Contender, cpuMicroseconds, residentMegabytes } from '../processes.js';

/** A hostile load on a service, and how to measure its cost. */
export interface Attack {
  readonly name: string;
  readonly about: string;
  readonly unit: 'ms of processor time' | 'MB of memory' | 'ms until liveness answers';
  /** Runs the attack against a service that has just started, and returns the cost. */
  run(contender: Contender): Promise<number>;
}

const MOUNT = '/calendar/events/v1';
const MEGABYTE = 1024 * 1024;

/** The connections that do not complete their request. */
const INCOMPLETE_REQUESTS = 1_500;
/** The clients that do not read the response. */
const SLOW_READERS = 8;
const LONG_EVENTS = 40;
const LONG_TEXT = 250_000;

/** The duration of an attack that only waits. */
const ATTACK_MS = 6_000;

/** Returns all attacks. `events`: the size of the data set. Deep pages are near its end. */
export function attacks(events: number): Attack[] {
  const [perPage, page] = [Math.max(1, Math.floor(events / 1_100)), 900];
  const deep = (filter: string, size = perPage) =>
    read(`/events?start_date=1000-01-01&${filter}&per_page=${size}&page=${page}`);
  return [
    processorTime(
      'organizers',
      'organizers with upcoming events',
      read('/organizers?only_with_upcoming=true&per_page=1'),
    ),
    processorTime('venues', 'venues with upcoming events', read('/venues?only_with_upcoming=true&per_page=1')),
    processorTime('title', 'page 900 by title', deep('orderby=title')),
    processorTime('modified', 'page 900 by time of change', deep('orderby=modified')),
    processorTime('located', 'page 900 by title, without a place', deep('geoloc=false&orderby=title', 1)),
    processorTime('word', 'page 900 by title, of a letter', deep('search=o&orderby=title')),
    processorTime('form', 'a gzipped form of 1 MB of the byte 0x80', (contender) => form(contender)),
    processorTime('ampersands', 'a description of 240,000 bytes of &', (contender) => create(contender, '&', 48_000)),
    processorTime('quotes', 'a description of 240,000 bytes of ‹', (contender) => create(contender, '‹', 80_000)),
    processorTime('paragraphs', 'a description of 240,000 bytes of <p>', (contender) =>
      create(contender, '<p>', 34_000),
    ),
    {
      name: 'bodies',
      about: `${INCOMPLETE_REQUESTS} gzipped bodies but for their end`,
      unit: 'MB of memory',
      run: holdBodies,
    },
    {
      name: 'bodies-liveness',
      about: 'the same, the longest wait of a probe',
      unit: 'ms until liveness answers',
      run: async (contender) => (await sendIncompleteBodies(contender)).longestWait,
    },
    {
      name: 'lists',
      about: `${SLOW_READERS} clients that do not read 10 MB lists`,
      unit: 'MB of memory',
      run: holdLists,
    },
  ];
}

function processorTime(name: string, about: string, work: (contender: Contender) => Promise<void>): Attack {
  const run = async (contender: Contender) => {
    // Not measured, because the first request of a process includes compilation.
    await work(contender);
    const before = cpuMicroseconds(contender);
    for (let n = 0; n < 3; n += 1) await work(contender);
    return (cpuMicroseconds(contender) - before) / 3_000;
  };
  return { name, about, unit: 'ms of processor time', run };
}

function read(path: string) {
  return async ({ port }: Contender): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}${MOUNT}${path}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
}

/** Sends a form that the service rejects after parsing. */
async function form({ port }: Contender): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
  const body = gzipSync(Buffer.alloc(MEGABYTE - 1, 0x80));
  const answer = await fetch(`http://127.0.0.1:${port}${MOUNT}/events`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
}

async function create(contender: Contender, piece: string, times: number): Promise<void> {
  const answer = await post(contender, { title: 'x', description: piece.repeat(times) });
  await answer.arrayBuffer();
}

function post({ port }: Contender, event: Readonly<Record<string, string>>): Promise<Response> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ start_date: 'tomorrow 8pm', end_date: 'tomorrow 9pm', ...event });
  return fetch(`http://127.0.0.1:${port}${MOUNT}/events`, { method: 'POST', headers, body });
}

async function holdBodies(contender: Contender): Promise<number> {
  return (await sendIncompleteBodies(contender)).memory;
}

/** Sends all but the last 10 bytes of gzipped bodies of 1 MiB. */
async function sendIncompleteBodies(contender: Contender): Promise<{ memory: number; longestWait: number }> {
  const body = gzipSync(JSON.stringify({ title: 'x'.repeat(MEGABYTE - 100) }));
  const head = [
    `POST ${MOUNT}/events HTTP/1.1`,
    'Host: localhost:3000',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length}`,
  ];
  const packet = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body.subarray(0, -10)]);
  const sockets: Socket[] = [];
  const watch = new Watch(contender);
  for (let n = 0; n < INCOMPLETE_REQUESTS; n += 1) sockets.push(send(contender, packet));
  await sleep(ATTACK_MS);
  for (const socket of sockets) socket.destroy();
  return watch.end();
}

/** Requests lists of long events, and does not read the responses. */
async function holdLists(contender: Contender): Promise<number> {
  const description = 'A long text. '.repeat(LONG_TEXT / 13);
  for (let n = 0; n < LONG_EVENTS; n += 1) {
    const answer = await post(contender, { title: `Long ${n}`, description, website: 'https://long.example/' });
    if (!answer.ok) throw new Error(`create: ${answer.status}`);
    await answer.arrayBuffer();
  }
  const watch = new Watch(contender);
  const path = `${MOUNT}/events?search=%22long+text%22&per_page=${LONG_EVENTS}`;
  const packet = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\n\r\n`);
  const sockets = Array.from({ length: SLOW_READERS }, () => send(contender, packet).pause());
  await sleep(ATTACK_MS);
  for (const socket of sockets) socket.destroy();
  return (await watch.end()).memory;
}

function send({ port }: Contender, packet: Buffer): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  void once(socket, 'connect').then(
    () => socket.write(packet),
    () => undefined,
  );
  return socket;
}

/** Samples the memory of a service and the response time of its liveness probe. */
class Watch {
  private readonly before: number;
  private most = 0;
  private longest = 0;
  private isEnded = false;
  private readonly probing: Promise<void>;

  constructor(private readonly contender: Contender) {
    this.before = residentMegabytes(contender);
    this.probing = this.probe();
  }

  /** Returns the maximum increase of memory in megabytes, and the longest response time in milliseconds. */
  async end(): Promise<{ memory: number; longestWait: number }> {
    this.isEnded = true;
    await this.probing;
    return { memory: Math.max(0, this.most - this.before), longestWait: this.longest };
  }

  private async probe(): Promise<void> {
    while (!this.isEnded) {
      const began = performance.now();
      await fetch(`http://127.0.0.1:${this.contender.port}/health/live`).then((answer) => answer.arrayBuffer());
      this.longest = Math.max(this.longest, performance.now() - began);
      this.most = Math.max(this.most, residentMegabytes(this.contender));
      await sleep(50);
    }
  }
}
