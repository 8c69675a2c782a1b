import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { BodiesInFlight } from '../../src/platform/http/bodies/bodies-in-flight.js';
import { startApp, type TestApp } from '../support/app.js';
import { answersOf, overSocket } from '../support/socket.js';
import { until } from '../support/until.js';

const MOUNT = '/calendar/events/v1';
const JSON_TYPE = 'Content-Type: application/json';
const head = (lines: readonly string[], line = `POST ${MOUNT}/events`) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;

describe('bodies that are rejected before they arrive', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const sent = (...parts: string[]) => overSocket(service.client.port, parts, 10_000);

  test('GEN-39: returns 413 for a Content-Length above the limit before the body is sent', async () => {
    const answer = await sent(head([JSON_TYPE, 'Content-Length: 1048577']));
    expect(answer).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*"rest_body_too_large"/i);
  });

  test.each([
    ['413: too long', ['Content-Length: 1048577', JSON_TYPE], undefined, 413],
    ['415: of an unknown type', ['Content-Length: 2', 'Content-Type: text/plain'], undefined, 415],
    ['415: packed in an unknown way', ['Content-Length: 2', JSON_TYPE, 'Content-Encoding: rot13'], undefined, 415],
    ['404: for an unknown address', ['Content-Length: 2', JSON_TYPE], 'POST /nothing', 404],
    ['200: of a read', ['Content-Length: 2', JSON_TYPE], `GET ${MOUNT}/events`, 200],
  ])('GEN-39: sends no 100 Continue when it does not read the body (%s)', async (_what, lines, line, status) => {
    const answer = await sent(head([...lines, 'Expect: 100-continue'], line));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'));
    expect(answer).not.toContain('100 Continue');
  });

  test('GEN-39: sends 100 Continue once when it reads the body', async () => {
    const lines = [JSON_TYPE, 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'];
    const answer = await sent(head(lines), '{}');
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400']);
  });

  test('ERR-03: returns 413 as soon as a chunked body exceeds the limit, before its end', async () => {
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const answer = await sent(head([JSON_TYPE, 'Transfer-Encoding: chunked']), piece.repeat(16), '1\r\n \r\n');
    expect(answer).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*"rest_body_too_large"/i);
  });

  test.each([
    ['413: of a write', `POST ${MOUNT}/events`, [JSON_TYPE], 413],
    ['413: of a packed one', `POST ${MOUNT}/events`, [JSON_TYPE, 'Content-Encoding: gzip'], 413],
    ['415: of an unknown type', `POST ${MOUNT}/events`, ['Content-Type: text/plain'], 415],
    ['404: for an unknown address', 'POST /nothing', [JSON_TYPE], 404],
    ['200: of a read', `GET ${MOUNT}/events`, [JSON_TYPE], 200],
  ])(
    'ERR-03: responds to a chunked body without end and closes its connection (%s)',
    async (_what, line, lines, status) => {
      const { answer, isEnded } = await sentWithoutEnd(head([...lines, 'Transfer-Encoding: chunked'], line));
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'));
      expect(isEnded).toBe(true);
    },
  );

  /** Sends chunks until the service closes the connection, or until 512 MiB are sent. */
  function sentWithoutEnd(headers: string): Promise<{ answer: string; isEnded: boolean }> {
    const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    const mostBytes = 512 * 1024 * 1024;
    return new Promise((resolve) => {
      let answer = '';
      const socket: Socket = connect(service.client.port, '127.0.0.1', () => {
        socket.write(headers);
        send();
      });
      const send = () => {
        while (socket.writable && socket.bytesWritten < mostBytes) if (!socket.write(chunk)) return;
        if (socket.writable) finish(false);
      };
      const finish = (isEnded: boolean) => {
        socket.destroy();
        resolve({ answer, isEnded });
      };
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString())).on('drain', send);
      // The service may reset the connection of a client that is still sending. The response arrived before.
      socket
        .on('error', () => undefined)
        .on('end', () => finish(true))
        .on('close', () => finish(true));
    });
  }

  test('contract section 6: keeps the connection open when little of a rejected body is missing', async () => {
    const answers = await answersOf(
      service.client.port,
      [
        head([JSON_TYPE, 'Content-Length: 2'], 'POST /nothing'),
        '{}',
        head(['Connection: close'], `GET ${MOUNT}/events/0`),
      ],
      50,
    );
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([
      [404, 'keep-alive'],
      [404, 'close'],
    ]);
  });

  test.each([
    ['two different hosts', ['Host: other'], `GET ${MOUNT}/events`],
    ['the same host twice', ['Host: localhost'], `GET ${MOUNT}/events`],
    ['two hosts of HTTP/1.0', ['Host: other'], `GET ${MOUNT}/events HTTP/1.0\r\nX-Line:`],
  ])('GEN-40: returns 400 for %s and closes the connection', async (_what, lines, line) => {
    const [answer, ...others] = await answersOf(service.client.port, [head(lines, line)]);
    expect([answer?.status, answer?.body.code, answer?.headers.connection, others]).toEqual([
      400,
      'rest_bad_request',
      'close',
      [],
    ]);
    expect(answer?.body.message).toBe('The request could not be understood.');
  });
});

describe('compressed bodies', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const post = (body: Buffer, encoding: string, token?: string) =>
    service.client.send('/tags', { method: 'POST', body, token, headers: { 'content-encoding': encoding } });
  const tag = (size: number) => Buffer.from(`{"name":"Packed"}`.padEnd(size));

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('ERR-03: %s: decompresses 64 KiB without credentials, MAX_BODY_BYTES with them', async (encoding, pack) => {
    const { adm } = service.tokens;
    expect((await post(pack(tag(65_536)), encoding)).status).toBe(401);
    expect((await post(pack(tag(65_537)), encoding)).status).toBe(413);
    const made = await post(pack(tag(1_048_576)), encoding, adm);
    expect([made.status, made.body.name ?? made.body.code]).toEqual(
      encoding === 'gzip' ? [201, 'Packed'] : [400, 'term_exists'],
    );
    expect((await post(pack(tag(1_048_577)), encoding, adm)).status).toBe(413);
  });

  test('ERR-03: checks credentials before decompression, and reports broken data as invalid JSON', async () => {
    const broken = Buffer.from('{}');
    expect((await post(broken, 'gzip', 'wrong')).body.code).toBe('invalid_credentials');
    expect((await post(broken, 'gzip')).body.code).toBe('rest_invalid_json');
    expect((await post(gzipSync(tag(100)).subarray(0, 20), 'gzip')).body.code).toBe('rest_invalid_json');
    const plain = await service.client.send('/tags', { method: 'POST', body: '{', token: 'wrong' });
    expect(plain.body.code).toBe('rest_invalid_json');
  });

  test('GEN-29: an idempotency key is bound to the decompressed body', async () => {
    const send = (text: string) =>
      service.client.send('/tags', {
        method: 'POST',
        body: gzipSync(text),
        token: service.tokens.adm,
        headers: { 'content-encoding': 'gzip', 'idempotency-key': 'packed' },
      });
    const [first, again, other] = [await send('{"name":"K"}'), await send('{"name":"K"}'), await send('{"name":"L"}')];
    expect([first.status, again.headers['idempotent-replayed'], other.status]).toEqual([201, 'true', 422]);
  });
});

describe('MAX_BODIES_IN_FLIGHT_BYTES', () => {
  const ONE = 1024;
  let service: TestApp;
  const open: Socket[] = [];
  beforeAll(async () => {
    const settings = { MAX_BODY_BYTES: `${ONE}`, MAX_BODIES_IN_FLIGHT_BYTES: `${32 * ONE}`, RATE_LIMIT: '1000/3600' };
    service = await startApp({ ...settings, TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => service.close());
  afterEach(async () => {
    open.splice(0).forEach((socket) => socket.destroy());
    await until(() => held() === 0);
  });
  const held = () => service.app.get(BodiesInFlight).reservedBytes;

  const begin = (text: string) => {
    const socket = connect(service.client.port, '127.0.0.1', () => socket.write(text));
    open.push(socket.on('error', () => undefined).resume());
    return socket;
  };
  /** Begins requests whose bodies never arrive. */
  const hold = async (count: number, address: number, lines: readonly string[] = []) => {
    const before = held();
    for (let n = 0; n < count; n += 1) {
      const text = head([JSON_TYPE, `Content-Length: ${ONE}`, `X-Forwarded-For: 192.0.2.${address}`, ...lines]);
      begin(text);
    }
    await until(() => held() === before + count * ONE);
  };
  const ask = async (address: number, token?: string) => {
    const headers = { 'x-forwarded-for': `192.0.2.${address}` };
    const body = '{}'.padEnd(ONE);
    const { status, headers: answered } = await service.client.send('/events', {
      method: 'POST',
      body,
      token,
      headers,
    });
    return status === 503 ? [status, answered['retry-after']] : [status];
  };

  test('contract 5.6: limits a client to an eighth, also with credentials; reads and other clients pass', async () => {
    const { adm } = service.tokens;
    await hold(4, 1);
    expect([await ask(1), await ask(1, adm), await ask(2)]).toEqual([[503, '1'], [503, '1'], [400]]);
    const { status, headers } = await service.client.send('/events', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    // A request rejected with 503 does not count towards the rate limit.
    expect([status, headers.ratelimit]).toEqual([200, expect.stringContaining('r=999;')]);
    open.splice(0).forEach((socket) => socket.destroy());
    await until(() => held() === 0);
    expect(await ask(1, adm)).toEqual([400]);
  });

  test('contract 5.6: limits requests without Authorization to half, all requests to the maximum', async () => {
    for (const address of [11, 12, 13, 14]) await hold(4, address);
    expect([await ask(15), await ask(15, service.tokens.adm)]).toEqual([[503, '1'], [400]]);
    for (const address of [15, 16, 17, 18]) await hold(4, address, ['Authorization: Bearer x']);
    expect(await ask(19, service.tokens.adm)).toEqual([503, '1']);
  });

  test('contract 5.6: rejected requests reserve no bytes', async () => {
    const withToken = ['Authorization: Bearer x'];
    for (const address of [31, 32, 33, 34, 35, 36, 37, 38]) await hold(4, address, withToken);
    // As many as would reserve the half of requests without Authorization.
    for (let address = 41; address <= 56; address += 1) expect(await ask(address)).toEqual([503, '1']);
    open.splice(0).forEach((socket) => socket.destroy());
    await until(() => held() === 0);
    expect(await ask(57)).toEqual([400]);
  });

  test('contract 5.6: chunked bodies reserve what they need, compressed bodies their decompressed size', async () => {
    const chunked = head([JSON_TYPE, 'Transfer-Encoding: chunked']);
    begin(`${chunked}2\r\n{}\r\n`);
    await until(() => held() === ONE);
    const headers = { 'content-encoding': 'gzip' };
    const packed = gzipSync('{}'.padEnd(ONE));
    const answer = await service.client.send('/events', { method: 'POST', body: packed, headers });
    expect(answer.status).toBe(400);
    await until(() => held() === ONE);
  });

  test('contract 5.6: the eighth of a client includes requests that have reserved nothing yet', async () => {
    const address = 'X-Forwarded-For: 192.0.2.21';
    const late = begin(head([JSON_TYPE, 'Transfer-Encoding: chunked', address]));
    await sleep(300);
    expect(await ask(21)).toEqual([400]);
    late.write('2\r\n{}\r\n');
    await until(() => held() === ONE);
    await hold(3, 21);
    expect(await ask(21)).toEqual([503, '1']);
  });

  test('contract 5.6: a pipelined request that never runs releases its reserved bytes', async () => {
    const { adm } = service.tokens;
    const event = { title: 'T', start_date: '2027-03-10', end_date: '2027-03-10' };
    const { id } = (await service.client.post('/events', event, adm)).body as { id: number };
    await service.client.put(`/events/${id}`, { password: 'right' }, adm);
    // Each password comparison is slow, so the requests behind them wait.
    const slow = head([], `GET ${MOUNT}/events/${id}?password=wrong`).repeat(8);
    for (let n = 0; n < 3; n += 1) {
      const socket = begin(slow + head([JSON_TYPE, `Content-Length: ${ONE}`]));
      await until(() => held() > 0);
      socket.resetAndDestroy();
      await until(() => held() === 0);
    }
  });

  test('contract 5.6: sends no 100 Continue to a rejected client', async () => {
    await hold(4, 20);
    const lines = [JSON_TYPE, `Content-Length: ${ONE}`, 'X-Forwarded-For: 192.0.2.20', 'Expect: 100-continue'];
    expect(await overSocket(service.client.port, [head(lines)], 10_000)).toMatch(/^HTTP\/1.1 503 /);
  });
});
