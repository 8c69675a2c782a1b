import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResponsesInFlight } from '../../src/platform/http/responses/responses-in-flight.js';
import { useApp } from '../support/events.js';
import { event, venue } from '../support/factories.js';
import { receive } from '../support/gzipped.js';
import { until } from '../support/until.js';

const MOUNT = '/calendar/events/v1';
const LIST = `${MOUNT}/events?per_page=100&start_date=2027-01-01&end_date=2027-12-31`;
const TEXT = `<p>${'Lorem "ipsum" · dolor. '.repeat(4_000)}</p>`;
const EVENTS = 60;

describe('large responses (contract 5.1, 5.2)', () => {
  // A list has about 6 MB, so that the limit admits one list but not two.
  const app = useApp({
    MAX_ANSWERS_IN_FLIGHT_BYTES: String(8 * 1024 * 1024),
    REQUEST_TIMEOUT: '2',
  });
  const ask = (headers: Record<string, string> = {}, method = 'GET', path = LIST) =>
    receive(app().client.port, path, headers, method);
  beforeAll(async () => {
    const { client, tokens } = app();
    for (let n = 1; n <= EVENTS; n += 1) await event(client, tokens.adm, { title: `Event ${n}`, description: TEXT });
  });

  /** Requests the list and reads nothing of the response. */
  const stall = async (headers = ''): Promise<Socket> => {
    const socket = connect(app().client.port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    await new Promise((done) => socket.once('connect', done));
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    return socket;
  };

  /** The same, but waits until the response has reserved bytes. Otherwise a later request could reserve them first. */
  const stallWithAnswer = async (): Promise<Socket> => {
    const socket = await stall();
    await until(() => app().app.get(ResponsesInFlight).reservedBytes > 0);
    return socket;
  };

  test('5.2: the ETag contains the digest of the whole body, plain or compressed', async () => {
    const plain = await ask();
    expect([plain.status, plain.headers['content-length']]).toEqual([200, String(plain.bytes.length)]);
    expect(plain.bytes.length).toBeGreaterThan(4 * 1024 * 1024);
    const digest = createHash('sha256').update(plain.bytes).digest('base64url').slice(0, 27);
    expect(plain.headers.etag).toBe(`"${digest}"`);
    expect(plain.text).toBe(JSON.stringify(JSON.parse(plain.text)));
    const packed = await ask({ 'accept-encoding': 'gzip' });
    expect([packed.headers['content-encoding'], packed.headers.etag]).toEqual(['gzip', `"${digest}-gzip"`]);
    expect(packed.text === plain.text).toBe(true);
    expect((await ask({ 'if-none-match': `"${digest}"` })).status).toBe(304);
    const sparse = await ask({}, 'GET', `${LIST}&_fields=description`);
    expect((JSON.parse(sparse.text) as { events: object[] }).events).toHaveLength(EVENTS);
  });

  test.each(['identity', 'gzip'])('GEN-36: HEAD with %s returns the headers of GET', async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    const [got, head] = [await ask(headers), await ask(headers, 'HEAD')];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['etag', 'vary', 'content-type', 'content-length', 'content-encoding']) {
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    }
  });

  test('6: rejects only large responses above MAX_ANSWERS_IN_FLIGHT_BYTES, until a client disconnects', async () => {
    const stalled = await stallWithAnswer();
    await until(async () => (await ask()).status === 503);
    const refused = await ask();
    expect([refused.headers['retry-after'], JSON.parse(refused.text)]).toMatchObject([
      '1',
      { code: 'service_unavailable', data: { status: 503 } },
    ]);
    expect((await ask({}, 'GET', `${MOUNT}/events?per_page=1&_fields=title`)).status).toBe(200);
    stalled.destroy();
    await until(async () => (await ask()).status === 200);
  });

  test('6: closes the connection of a client that reads nothing', async () => {
    const stalled = await stallWithAnswer();
    await until(async () => (await ask()).status === 503);
    await until(async () => (await ask()).status === 200);
    stalled.destroy();
  });

  test('6: a disconnected client releases the bytes of its responses, also of pipelined ones', async () => {
    const behind = `\r\nGET ${LIST.replace('per_page=100', 'per_page=10')} HTTP/1.1\r\nHost: localhost\r\n`;
    for (let n = 0; n < 30; n += 1) {
      const socket = await stall(n % 2 === 0 ? '' : behind);
      await sleep(n);
      socket.resetAndDestroy();
    }
    await until(async () => (await ask()).status === 200);
  });

  test('a slow client gets the whole response', async () => {
    const plain = await ask();
    const socket = await stall('Connection: close\r\n');
    const chunks: Buffer[] = [];
    const ended = new Promise((done) => socket.once('close', done));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      socket.pause();
      void sleep(2).then(() => socket.resume());
    });
    socket.resume();
    await ended;
    const bytes = Buffer.concat(chunks);
    expect(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4).equals(plain.bytes)).toBe(true);
  });

  test('pipelined requests get their responses in order on one connection', async () => {
    const plain = await ask();
    const socket = await stall(
      `Accept-Encoding: identity\r\n\r\nGET ${LIST}&_fields=total HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`,
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    await new Promise((done) => socket.once('close', done));
    const text = Buffer.concat(chunks).toString();
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text).toContain(plain.text);
    expect(text.endsWith(`{"total":${EVENTS}}`)).toBe(true);
  });

  test('sends a response above MAX_ANSWERS_IN_FLIGHT_BYTES if no other one is in flight', async () => {
    const { client, tokens } = app();
    const { id } = await venue(client, tokens.adm, { venue: 'Hall', description: TEXT });
    for (let n = 1; n <= EVENTS; n += 1) await client.post(`/events/${n}`, { venue: id }, tokens.adm);
    const { status, bytes } = await ask();
    expect([status, bytes.length > 8 * 1024 * 1024]).toEqual([200, true]);
  });

  test('a write gets its response while a stalled client uses up the bytes for reads', async () => {
    const { client, tokens } = app();
    const body = { title: 'One more', start_date: '2030-01-01', end_date: '2030-01-02', description: TEXT };
    const stalled = await stallWithAnswer();
    const read = `${MOUNT}/events/1`;
    await until(async () => (await ask({}, 'GET', read)).status === 503);
    expect((await client.post('/events', body, tokens.adm)).status).toBe(201);
    expect((await ask({}, 'GET', read)).status).toBe(503);
    stalled.destroy();
  });
});
