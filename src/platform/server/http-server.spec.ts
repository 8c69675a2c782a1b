import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { configuredEnvironment } from '../../config/environment.js';
import { Log } from '../observability/log.js';
import type { Health } from './health.js';
import { HttpServerEvents } from './http-server.js';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** Starts a separate server, so that a test controls delays and sizes of responses. */
async function serve(listener: RequestListener): Promise<number> {
  server = createServer(listener);
  const environment = configuredEnvironment();
  environment.LOG_LEVEL = 'silent';
  new HttpServerEvents(environment, { isStopping: false } as Health, new Log(environment)).attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Responds with method, path and body length of the request. */
const echo =
  (waits: Record<string, number>, sizes: Record<string, number>): RequestListener =>
  (request, response) => {
    let length = 0;
    request.on('data', (bytes: Buffer) => (length += bytes.length));
    request.on('end', () => {
      const name = decodeURIComponent((request.url as string).slice(1));
      const text = `[${request.method} ${name} ${length}]${'.'.repeat(sizes[name] ?? 0)}`;
      setTimeout(() => response.end(text), waits[name] ?? 0);
    });
  };

/** Sends packets. Returns the responses, in order, after 800 ms without data. */
async function echoed(port: number, packets: readonly string[], pause: number, isHalfClosed = false) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  let text = '';
  let isEnded = false;
  let latest: number | undefined;
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString();
    latest = performance.now();
  });
  socket.on('error', () => undefined).on('end', () => (isEnded = true));
  await once(socket, 'connect');
  for (const packet of packets) {
    socket.write(packet);
    if (pause > 0) await sleep(pause);
  }
  if (isHalfClosed) socket.end();
  const sent = performance.now();
  while (!isEnded && performance.now() - Math.max(latest ?? 0, sent) < 800) await sleep(20);
  socket.destroy();
  return { isEnded, answers: [...text.matchAll(/\[([^\]]*)\]/g)].map(([, answer]) => answer) };
}

const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (name: string, length: number) =>
  `POST /${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

describe('TXT-08: pipelined requests with raw UTF-8 URLs', () => {
  const packets = [
    get('é-slow'),
    get('big'),
    get('a'),
    get('b'),
    post('ö', 3000),
    'x'.repeat(3000),
    get('end'),
    get('é2'),
    get('end2'),
  ];
  const expected = [
    'GET é-slow 0',
    'GET big 0',
    'GET a 0',
    'GET b 0',
    'POST ö 3000',
    'GET end 0',
    'GET é2 0',
    'GET end2 0',
  ];

  test.each([
    ['é-slow', 0],
    ['é-slow', 2],
    ['é-slow', 20],
    ['e-slow', 2],
    ['e-slow', 20],
  ])('behind /%s, in separate packets %i ms apart, each request is handled once and in order', async (first, pause) => {
    const port = await serve(echo({ [first]: 300 }, { big: 40_000 }));
    const { answers } = await echoed(port, [get(first), ...packets.slice(1)], pause);
    expect(answers).toEqual([`GET ${first} 0`, ...expected.slice(1)]);
  });

  test.each([300, 2_000_000])('in one packet, behind a response of %i bytes, each handled in order', async (size) => {
    const port = await serve(echo({ 'e-slow': 100 }, { big: size }));
    const { answers } = await echoed(
      port,
      [[get('e-slow'), ...packets.slice(1)].join(''), get('later'), get('latér')],
      30,
    );
    expect(answers).toEqual(['GET e-slow 0', ...expected.slice(1), 'GET later 0', 'GET latér 0']);
  });

  test('a half-closed connection ends within 700 ms, with an ASCII URL and with a raw UTF-8 URL', async () => {
    const port = await serve(echo({ slow: 200 }, {}));
    for (const name of ['a', 'é']) {
      const began = performance.now();
      const { isEnded } = await echoed(port, [get('slow') + get(name)], 0, true);
      expect([name, isEnded, performance.now() - began < 700]).toEqual([name, true, true]);
    }
  });
});

describe('contract section 6: CONNECT', () => {
  test.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['CONNECT on a connection with a raw URL', `${get('é')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`],
    ['an upgrade', 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['garbage', 'garbage\r\n\r\n'],
  ])('%s, then a reset: other connections work', async (_what, bytes) => {
    const port = await serve(echo({}, {}));
    for (const delay of [0, 1, 5, 20, 50]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      socket.write(bytes);
      await sleep(delay);
      socket.resetAndDestroy();
      await sleep(20);
      expect((await echoed(port, [get('a') + 'x\r\n\r\n'], 0)).answers).toEqual(['GET a 0']);
    }
  });
});
