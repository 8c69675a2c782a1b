import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ADMIN_TOKEN, type Contender, cpuMicroseconds, residentMegabytes } from '../processes.js';

/** What callers who mean no good may do to a service, and what it costs there. */
export interface Attack {
  readonly name: string;
  readonly about: string;
  readonly unit: 'ms of processor time' | 'MB of memory' | 'ms until liveness answers';
  /** Carries the attack out against a service that has just started; answers the figure. */
  run(contender: Contender): Promise<number>;
}

const MOUNT = '/calendar/events/v1';
const MEGABYTE = 1024 * 1024;

/** Connections that hold their request back, and readers of large lists. Bounded, and closed at the end. */
const HOLDERS = 1_500;
const READERS = 8;
const LONG_EVENTS = 40;
const LONG_TEXT = 250_000;

/** How long an attack that only waits is kept up, in milliseconds. */
const HELD = 6_000;

/** `events`: how many the data set has; pages are asked for near its end. */
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
    { name: 'bodies', about: `${HOLDERS} gzipped bodies but for their end`, unit: 'MB of memory', run: holdBodies },
    {
      name: 'bodies-liveness',
      about: 'the same, the longest wait of a probe',
      unit: 'ms until liveness answers',
      run: async (contender) => (await held(contender)).longestWait,
    },
    { name: 'lists', about: `${READERS} clients that do not read 10 MB lists`, unit: 'MB of memory', run: holdLists },
  ];
}

function processorTime(name: string, about: string, work: (contender: Contender) => Promise<void>): Attack {
  const run = async (contender: Contender) => {
    // The first request of a process pays for compiling.
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

/** Refused in the end, whatever it has cost by then. */
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
  return (await held(contender)).memory;
}

/** Sends all but the last bytes of gzipped bodies of 1 MiB. */
async function held(contender: Contender): Promise<{ memory: number; longestWait: number }> {
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
  for (let n = 0; n < HOLDERS; n += 1) sockets.push(send(contender, packet));
  await sleep(HELD);
  for (const socket of sockets) socket.destroy();
  return watch.end();
}

/** Asks for lists of long events, and reads nothing of them. */
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
  const sockets = Array.from({ length: READERS }, () => send(contender, packet).pause());
  await sleep(HELD);
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

/** Looks at the memory of a service and at how long its liveness probe takes, until it ends. */
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

  /** Memory beyond that at the beginning, in megabytes, and the longest wait of a probe, in milliseconds. */
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
