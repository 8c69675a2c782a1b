import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import { answersOf, overSocket, type SocketAnswer } from '../support/socket.js';

const MOUNT = '/calendar/events/v1';
const HEAD = 'Host: localhost\r\n';
const JSON_BODY = 'Content-Type: application/json\r\n';

/** Expects one error response as the contract defines it, also for input that is not valid HTTP. */
function expectRefusal(answers: SocketAnswer[], status: number, code: string, isWrite = false): void {
  expect(answers.map((answer) => [answer.status, answer.body.code, answer.body.data])).toEqual([
    [status, code, { status }],
  ]);
  expect(answers[0]?.headers).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    'cache-control': 'private, no-store',
    connection: 'close',
    'x-content-type-options': 'nosniff',
    'x-tec-api-version': 'v1',
    'x-tec-api-root': expect.stringMatching(/^http:\/\/localhost.*\/calendar\/events\/v1\/$/),
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(answers[0]?.headers['access-control-allow-origin']).toBe(isWrite ? undefined : '*');
}

describe('malformed requests', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const sent = (...parts: (string | Buffer)[]) => answersOf(service.client.port, parts, 10);

  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['bytes', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0xff, 0xfe])],
    ['a blank in the address', `GET ${MOUNT}/events?search=a b HTTP/1.1\r\n${HEAD}\r\n`],
    ['a control character in the address', `GET ${MOUNT}/events\x01 HTTP/1.1\r\n${HEAD}\r\n`],
    ['another protocol', `GET ${MOUNT}/events SMTP/1.1\r\n${HEAD}\r\n`],
    ['an unknown method', `BREW ${MOUNT}/events HTTP/1.1\r\n${HEAD}\r\n`],
    ['a raw address of an unknown method', `BREW ${MOUNT}/events/é HTTP/1.1\r\n${HEAD}\r\n`],
    ['an address that begins with UTF-8', `GET é HTTP/1.1\r\n${HEAD}\r\n`],
    ['a header without a name', `GET ${MOUNT}/events HTTP/1.1\r\n${HEAD}: x\r\n\r\n`],
    ['two lengths', `POST ${MOUNT}/events HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a tunnel', `CONNECT example.com:443 HTTP/1.1\r\n${HEAD}\r\n`],
  ])('contract section 6: returns 400 for %s', async (_what, bytes) => {
    const isWrite = /^(BREW|POST) /.test(bytes.toString('latin1'));
    expectRefusal(await sent(bytes), 400, 'rest_bad_request', isWrite);
    expect((await service.client.get('/events')).status).toBe(200);
  });

  test.each(['/events', '/events/é'])('contract section 6: GET %s without a Host returns 400', async (path) => {
    const answers = await sent(`GET ${MOUNT}${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expectRefusal(answers, 400, 'rest_bad_request');
    const old = await sent(`GET ${MOUNT}/events/0 HTTP/1.0\r\n\r\n`);
    expect(old.map(({ status }) => status)).toEqual([404]);
  });

  test('contract section 6: ignores an unknown Expect header', async () => {
    const answers = await sent(`GET ${MOUNT}/events/0 HTTP/1.1\r\n${HEAD}Expect: more\r\nConnection: close\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });

  test('contract section 6: returns 400 with the request id for invalid chunked encoding', async () => {
    const head = `POST ${MOUNT}/events HTTP/1.1\r\n${HEAD}${JSON_BODY}X-Request-Id: broken-chunks\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answers = await sent(head, '2\r\n{}\r\nzz\r\n');
    expect(answers.map(({ status, headers, body }) => [status, headers['x-request-id'], body.code])).toEqual([
      [400, 'broken-chunks', 'rest_bad_request'],
    ]);
    expect(answers[0]?.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('contract section 6: serves requests before garbage on a connection, but none after it', async () => {
    const good = `GET ${MOUNT}/events/0 HTTP/1.1\r\n${HEAD}\r\n`;
    const answers = await sent(`${good}garbage\r\n\r\n${good}`);
    expect(answers.map(({ status }) => status)).toEqual([404, 400]);
  });

  test.each([
    ['in one packet', (line: string) => [line]],
    ['in several', (line: string) => [line.slice(0, 9_000), line.slice(9_000, 20_000), line.slice(20_000)]],
  ])('GEN-30: a request line beyond the parser limit, %s, returns 414', async (_how, cut) => {
    const line = `GET ${MOUNT}/events?a=${'x'.repeat(40_000)} HTTP/1.1\r\n${HEAD}\r\n`;
    expectRefusal(await sent(...cut(line)), 414, 'rest_uri_too_long');
    const raw = `GET ${MOUNT}/events?a=${'é'.repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`;
    expectRefusal(await sent(...cut(raw)), 414, 'rest_uri_too_long');
  });

  test('contract section 6: returns 431 for headers beyond the parser limit', async () => {
    const long = `GET ${MOUNT}/events HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`;
    expectRefusal(await sent(long), 431, 'rest_headers_too_large');
    const many = `GET ${MOUNT}/events HTTP/1.1\r\n${HEAD}${'X-Many: GET xxxxxxxxx\r\n'.repeat(2_000)}\r\n`;
    expectRefusal(await sent(many.slice(0, 10_000), many.slice(10_000)), 431, 'rest_headers_too_large');
  });

  test('contract section 6: a client that is still sending receives the error response', async () => {
    const long = Buffer.alloc(3_000_000, 'garbage ');
    expectRefusal(await answersOf(service.client.port, [long]), 400, 'rest_bad_request');
  });

  test('a client that ends in the middle of its request gets 400, and its connection is closed', async () => {
    const answers = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect({ port: service.client.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
        socket.end(`GET ${MOUNT}/ev`),
      );
      socket.on('data', (bytes: Buffer) => (text += bytes.toString())).on('end', () => resolve(text));
    });
    expect(answers).toMatch(/^HTTP\/1.1 400 [^]*"rest_bad_request"/);
  });
});

/** Side by side, because they only wait. */
describe.concurrent('slow clients', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp({ HEADERS_TIMEOUT: '1', REQUEST_TIMEOUT: '2', KEEP_ALIVE_TIMEOUT: '1' });
  });
  afterAll(() => service.close());

  test.each([
    ['nothing more than a beginning', [`GET ${MOUNT}/events HTTP/1.1\r\nHo`]],
    ['a raw address that does not end', [`GET ${MOUNT}/events/by-slug/東`]],
    ['headers without end', Array.from({ length: 40 }, (_, n) => (n === 0 ? 'GET / HTTP/1.1\r\n' : `X-${n}: x\r\n`))],
  ])('%s: returns 408 after HEADERS_TIMEOUT', async (_what, parts) => {
    const began = performance.now();
    expectRefusal(await answersOf(service.client.port, parts, 100, 10_000), 408, 'rest_request_timeout');
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test.each([
    ['that stops', ['{"title":"T"']],
    ['in crumbs', Array.from({ length: 60 }, () => ' ')],
  ])('a body %s: returns 408 after REQUEST_TIMEOUT and does not process the request', async (_what, crumbs) => {
    const head = `POST ${MOUNT}/events HTTP/1.1\r\n${HEAD}${JSON_BODY}Content-Length: 500\r\n\r\n`;
    const began = performance.now();
    const answers = await answersOf(service.client.port, [head, ...crumbs], 100, 10_000);
    expectRefusal(answers, 408, 'rest_request_timeout', true);
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test('GEN-39: returns 413 for a large body on an unknown path without waiting for it', async () => {
    const head = `POST ${MOUNT}/nothing HTTP/1.1\r\n${HEAD}${JSON_BODY}Content-Length: 5000000\r\n\r\n`;
    expectRefusal(await answersOf(service.client.port, [head, '{'], 0, 10_000), 413, 'rest_body_too_large', true);
  });

  test('closes an idle connection without a further response', async () => {
    const request = `GET ${MOUNT}/events/0 HTTP/1.1\r\n${HEAD}\r\n`;
    const began = performance.now();
    const answers = await answersOf(service.client.port, [request], 0, 10_000);
    expect(answers.map(({ status }) => status)).toEqual([404]);
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  test('hundreds of slow clients do not delay other requests, and are disconnected after the timeouts', async () => {
    const open = Array.from({ length: 400 }, (_, n) => {
      const body = `POST ${MOUNT}/events HTTP/1.1\r\n${HEAD}${JSON_BODY}Content-Length: 9\r\n\r\n{`;
      const socket: Socket = connect(service.client.port, '127.0.0.1', () =>
        socket.write(n % 2 === 0 ? `GET ${MOUNT}/ev` : body),
      );
      socket.on('error', () => undefined).resume();
      return new Promise((gone) => socket.once('close', gone));
    });
    const began = performance.now();
    for (let n = 0; n < 20; n += 1) expect((await service.client.get('/events/0')).status).toBe(404);
    await Promise.all(open);
    expect(performance.now() - began).toBeLessThan(10_000);
    const count = () => new Promise((told) => service.app.getHttpServer().getConnections((_, n) => told(n)));
    while ((await count()) !== 0 && performance.now() - began < 10_000) await sleep(20);
    expect(await count()).toBe(0);
  });
});

/** The other timeouts are longer than any test, so that only the tested one can end the connection. */
describe('each timeout for slow clients, alone', () => {
  const LONG = { HEADERS_TIMEOUT: '600', REQUEST_TIMEOUT: '600', KEEP_ALIVE_TIMEOUT: '600' };
  const BEGINNING = `GET ${MOUNT}/events HTTP/1.1\r\nHo`;
  const POST = `POST ${MOUNT}/events HTTP/1.1\r\n${HEAD}${JSON_BODY}Content-Length: 2\r\nConnection: close\r\n\r\n`;
  const GET = `GET ${MOUNT}/events/0 HTTP/1.1\r\n${HEAD}\r\n`;
  const services = new Map<keyof typeof LONG, TestApp>();
  const portOf = (setting: keyof typeof LONG) => services.get(setting)!.client.port;
  beforeAll(async () => {
    for (const setting of Object.keys(LONG) as (keyof typeof LONG)[]) {
      services.set(setting, await startApp({ ...LONG, [setting]: '1' }));
    }
  });
  afterAll(async () => {
    for (const service of services.values()) await service.close();
  });

  test.concurrent('HEADERS_TIMEOUT ends a request with incomplete headers, but does not limit the body', async () => {
    const port = portOf('HEADERS_TIMEOUT');
    expectRefusal(await answersOf(port, [BEGINNING], 0, 60_000), 408, 'rest_request_timeout');
    // The body takes longer than HEADERS_TIMEOUT.
    const answers = await answersOf(port, [POST, '{', '}'], 1_500, 60_000);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test.concurrent('REQUEST_TIMEOUT ends incomplete requests', async () => {
    const port = portOf('REQUEST_TIMEOUT');
    const [body, headers] = await Promise.all([POST, BEGINNING].map((sent) => answersOf(port, [sent], 0, 60_000)));
    expectRefusal(body!, 408, 'rest_request_timeout', true);
    expectRefusal(headers!, 408, 'rest_request_timeout');
  });

  test.concurrent('KEEP_ALIVE_TIMEOUT closes idle connections', async () => {
    const socket = connect(portOf('KEEP_ALIVE_TIMEOUT'), '127.0.0.1', () => socket.write(GET));
    const text = await new Promise<string>((ended) => {
      let received = '';
      socket.on('data', (bytes: Buffer) => (received += bytes.toString())).on('end', () => ended(received));
    });
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  });
});

test('rejects connections beyond MAX_CONNECTIONS, and accepts new ones after others have closed', async () => {
  const service = await startApp({ MAX_CONNECTIONS: '5' });
  try {
    const idle = Array.from({ length: 5 }, () => connect(service.client.port, '127.0.0.1'));
    await sleep(50);
    const refused = await overSocket(service.client.port, [`GET ${MOUNT} HTTP/1.1\r\n${HEAD}\r\n`]).catch(() => '');
    expect(refused).toBe('');
    idle.forEach((socket) => socket.destroy());
    await sleep(50);
    expect((await service.client.get('/events')).status).toBe(200);
  } finally {
    await service.close();
  }
});
