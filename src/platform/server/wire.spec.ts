import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { configuredEnvironment } from '../config/environment.js';
import { Log } from '../observability/log.js';
import { Wire } from './wire.js';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** A server of its own, so that a test says what is slow and what is big. */
async function serve(listener: RequestListener): Promise<number> {
  server = createServer(listener);
  const environment = configuredEnvironment();
  environment.LOG_LEVEL = 'silent';
  new Wire(environment, new Log(environment)).attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers with what it has read: its method, its address and the length of its body. */
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

/** Sends packets and hands back what was answered, in order, once nothing has come for 400 ms. */
async function echoed(port: number, packets: readonly string[], pause: number, isHalfClosed = false) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  let text = '';
  let latest = performance.now();
  let isEnded = false;
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
  latest = performance.now();
  while (!isEnded && performance.now() - latest < 800) await sleep(20);
  socket.destroy();
  return { isEnded, answers: [...text.matchAll(/\[([^\]]*)\]/g)].map(([, answer]) => answer) };
}

const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (name: string, length: number) =>
  `POST /${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

describe('contract section 6: CONNECT', () => {
  test.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['CONNECT on a connection with a raw address', `${get('é')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`],
    ['an upgrade', 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['garbage', 'garbage\r\n\r\n'],
  ])('%s, then a reset: it harms nobody', async (_what, bytes) => {
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
