import { connect } from 'node:net';
import { Random } from '../../support/random.js';
import { exchange } from '../exchange.js';
import { ADMIN_TOKEN, type Instance } from '../instance.js';
import type { Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';

/** Client timeout in milliseconds, longer than HEADERS_TIMEOUT and REQUEST_TIMEOUT of the service. */
const PATIENCE = 10_000;
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n`;
const MOUNT = '/calendar/events/v1';
const BODY = '{"title":"Raw","start_date":"2027-03-10 20:00","end_date":"2027-03-10 23:00","tags":["a","b"]}';
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`;
/** The valid requests that are mutated. */
const SEEDS = [
  `GET ${MOUNT}/events?per_page=5&search=a&categories[]=1 HTTP/1.1\r\n${HEAD}\r\n`,
  `GET ${MOUNT}/events/1 HTTP/1.1\r\n${HEAD}If-None-Match: "x"\r\n\r\n`,
  `POST ${MOUNT}/events HTTP/1.1\r\n${JSON_HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST ${MOUNT}/events HTTP/1.1\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `PATCH ${MOUNT}/events/1 HTTP/1.1\r\n${HEAD}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 19\r\n\r\ntitle=T&tags[]=a%20`,
].map((text) => Buffer.from(text));
/** Bytes that parsers often handle wrongly. */
const PIECES = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '%',
  '%00',
  '\xff\xfe',
  ':',
  ' ',
  '\t',
  '{',
  '[',
  '"',
  '\\u',
  '0\r\n\r\n',
];

/** Sends damaged requests as raw bytes. */
export const RAW_BYTES: Scenario = {
  name: 'raw-bytes',
  goal: 'C2',
  about: 'valid requests with bytes changed, cut, doubled and inserted, over sockets',
  async run({ engine, seed, isShort, tell }) {
    const requests = isShort ? 2_000 : 50_000;
    const topology = await startTopology(engine, 1, {
      FAILED_ATTEMPTS: '1000000',
      HEADERS_TIMEOUT: '1',
      REQUEST_TIMEOUT: '2',
    });
    const [instance] = topology.instances as [Instance];
    const random = new Random(seed);
    const outcomes = new Map<string, number>();
    const wrong: string[] = [];
    let sent = 0;
    const client = async () => {
      while (sent < requests) {
        sent += 1;
        if (sent % 10_000 === 0) tell(`${sent} requests`);
        const bytes = mutated(random);
        const outcome = judge(await answersTo(instance.port, bytes));
        outcomes.set(outcome.what, (outcomes.get(outcome.what) ?? 0) + 1);
        if (outcome.isWrong && wrong.length < 10)
          wrong.push(`${outcome.what}: ${JSON.stringify(bytes.toString('latin1'))}`);
      }
    };
    await Promise.all(Array.from({ length: 500 }, client));
    const after = await exchange(instance, { path: '/events' });
    const isAlive = instance.isRunning && after.status === 200;
    await topology.stop();
    const told = [...outcomes].sort().map(([what, count]) => `${count} × ${what}`);
    return {
      faults: 'none',
      figures: [`${requests} requests: ${told.join(', ')}`],
      broken: [...wrong, ...(isAlive ? [] : ['the service does not answer any more'])],
    };
  },
};

function mutated(random: Random): Buffer {
  let bytes = random.pick(SEEDS);
  for (let count = random.between(1, 4); count > 0; count -= 1) {
    const from = random.between(0, bytes.length);
    const to = random.between(from, bytes.length);
    const [before, middle, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
    const inserted = random.chance(0.5)
      ? Buffer.from(random.pick(PIECES), 'latin1')
      : Buffer.from(Array.from({ length: random.between(1, 8) }, () => random.between(0, 255)));
    bytes = random.pick([
      () => Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(from)]),
      () =>
        Buffer.concat([
          bytes.subarray(0, from),
          inserted,
          bytes.subarray(Math.min(bytes.length, from + inserted.length)),
        ]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, middle, middle, after]),
      () => bytes.subarray(0, from),
    ])();
  }
  return bytes;
}

/** Returns the first response, '' if the service closes without one, or undefined after the timeout. */
function answersTo(port: number, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => end(undefined), PATIENCE);
    const end = (result: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isWhole(text)) end(text);
    });
    socket.on('close', () => end(text)).on('error', () => end(text));
  });
}

function isWhole(text: string): boolean {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [, length] = /^content-length: (\d+)/im.exec(head) ?? [];
  return length === undefined ? /^HTTP\/1.1 (204|304)/.test(head) : body.join('\r\n\r\n').length >= Number(length);
}

/** A 4xx response must have a JSON body. */
function judge(text: string | undefined): { what: string; isWrong: boolean } {
  if (text === undefined) return { what: 'no end', isWrong: true };
  if (text === '') return { what: 'closed', isWrong: false };
  const [, status = '?'] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? [];
  const isRefusal = /^4/.test(status);
  const hasJson = /^content-type: application\/json/im.test(text) && text.includes('"code":');
  return { what: status, isWrong: !/^[234]/.test(status) || (isRefusal && !hasJson) };
}
