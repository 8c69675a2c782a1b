import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply, type Sent } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { event } from '../support/factories.js';
import { emptyFolder, metricsPortOf, startServer } from '../support/process.js';
import { OwnRedis, sharedRedis } from '../support/redis.js';
import { until } from '../support/until.js';

/** Tests with two instances and a Redis server: `npm run test:servers`. TEST_REDIS_URL names the server. */
const TOKEN = 'a-token-of-at-least-32-characters-or-so';
const SHARED = 'limits are shared through Redis';
const AWAY = 'limits are not shared: Redis is away';

type Server = Awaited<ReturnType<typeof startServer>>;

let database: TestDatabase;
let servers: Server[] = [];
let own: OwnRedis | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(servers.map(({ stop }) => stop()));
  servers = [];
  await own?.kill();
  own = undefined;
  await database.drop();
});

/** Waits longer, because Redis and the processes are slow on a busy machine. */
const comes = (isSo: () => boolean | Promise<boolean>) => until(isSo, 40_000);

const said = ({ output }: Server, message: string) => output.stdout.split(`"msg":"${message}"`).length - 1;

/** The OpenAPI document. All servers have the same, and each takes a second to make it. */
let document: object | undefined;

async function start(settings: Record<string, string>): Promise<{ server: Server; client: Client }> {
  const server = await startServer({ DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, ...settings });
  servers.push(server);
  const mount = '/calendar/events/v1';
  const doc = `http://127.0.0.1:${server.port}${mount}/doc`;
  // The token keeps this request from counting against the rate limit of the IP address.
  document ??= (await (await fetch(doc, { headers: { authorization: `Bearer ${TOKEN}` } })).json()) as object;
  const read = Promise.resolve(document);
  return { server, client: new Client(server.port, mount, { document: () => read }) };
}

/** Starts two instances that share their limits. */
async function pair(settings: Record<string, string>): Promise<readonly [Client, Client]> {
  const redis = sharedRedis();
  const one = await start({ ...redis, ...settings });
  const other = await start({ ...redis, ...settings });
  for (const { server } of [one, other]) await comes(() => said(server, SHARED) === 1);
  return [one.client, other.client];
}

/** Sends concurrent requests, alternately to both instances. */
const toBoth = (clients: readonly Client[], count: number, path: string, sent: Sent = {}) =>
  Promise.all(Array.from({ length: count }, (_, n) => (clients[n % 2] as Client).send(path, sent)));
const counted = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const left = ({ headers }: Reply) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]);

describe('two instances and one Redis', () => {
  it('share RATE_LIMIT exactly, and report the remaining requests in RateLimit', async () => {
    const clients = await pair({ RATE_LIMIT: '40/3600' });
    const replies = await toBoth(clients, 100, '/events');
    expect([counted(replies, 200), counted(replies, 429)]).toEqual([40, 60]);
    const remaining = replies.filter(({ status }) => status === 200).map(left);
    expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 40 }, (_, n) => 39 - n));
    for (const client of clients) expect((await client.get('/events', TOKEN)).status).toBe(200);
  });

  it('do not count a 304 of either instance', async () => {
    const [one, other] = await pair({ RATE_LIMIT: '5/3600' });
    // Both need the same host, because links contain it and so the ETag depends on it.
    const host = 'localhost';
    const replies = [await one.send('/events', { headers: { host } })];
    const sent = { headers: { host, 'if-none-match': replies[0]?.headers.etag as string } };
    for (let n = 0; n < 6; n += 1) replies.push(await (n % 2 === 0 ? other : one).send('/events', sent));
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 304, 304, 304, 304, 304]);
    // One instance may uncount its 304 shortly after the next request to the other.
    for (const reply of replies) expect([3, 4]).toContain(left(reply));
    await comes(async () => left(await other.send('/events', sent)) === 4);
  });

  it('accept a client that has waited for the Retry-After of the other instance', async () => {
    const clients = await pair({ RATE_LIMIT: '4/1' });
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = (await toBoth(clients, 12, '/events')).filter(({ status }) => status === 429);
      await sleep(Math.max(...refused.map(({ headers }) => Number(headers['retry-after']))) * 1000);
      expect((await (clients[turn % 2] as Client).get('/events')).status).toBe(200);
    }
  });

  it('AUTH-16: share the count of wrong credentials of an IP address', async () => {
    const clients = await pair({ FAILED_ATTEMPTS: '4' });
    const replies = await toBoth(clients, 20, '/events', { token: 'wrong' });
    expect([counted(replies, 401), counted(replies, 429)]).toEqual([4, 16]);
    for (const client of clients) {
      const { status, headers } = await client.get('/events', 'wrong');
      expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
      expect((await client.get('/events', TOKEN)).status).toBe(200);
    }
  });

  it('EV-GET-07: share the count of wrong passwords of an event, and compare no more passwords', async () => {
    const clients = await pair({ FAILED_ATTEMPTS: '4' });
    const ids: number[] = [];
    for (const title of ['one', 'two', 'three']) {
      const { id } = await event(clients[0], TOKEN, { title });
      await clients[0].put(`/events/${id}`, { password: 'right' }, TOKEN);
      ids.push(id as number);
    }
    const path = (id: number, password: string) => `/events/${id}?password=${password}`;
    const [one = 0, two = 0, three = 0] = ids;
    const replies = await toBoth(clients, 30, path(one, 'wrong'));
    expect([counted(replies, 403), counted(replies, 429)]).toEqual([4, 26]);
    for (const client of clients) expect((await client.get(path(one, 'right'))).status).toBe(429);
    // Right passwords do not count as failures.
    expect(counted(await toBoth(clients, 20, path(two, 'right')), 200)).toBe(20);
    // A client that sent the right password to one instance is not limited by the other.
    expect((await clients[0].get(path(three, 'right'))).status).toBe(200);
    for (let n = 0; n < 5; n += 1) expect((await clients[1].get(path(three, 'wrong'))).status).toBe(403);
    for (const client of clients) expect((await client.get(path(three, 'right'))).status).toBe(200);
  });
});

describe('an instance whose Redis is unreachable', () => {
  const ready = async ({ client }: { client: Client }) => {
    const { status, body } = await client.raw('/health/ready');
    return [status, body.warnings as unknown];
  };
  const settings = (redis: OwnRedis) => ({ REDIS_URL: `redis://127.0.0.1:${redis.port}`, RATE_LIMIT: '20/3600' });

  it('starts, limits locally, logs this once, and shares the limits as soon as Redis is reachable', async () => {
    own = await OwnRedis.prepare();
    const instance = await start(settings(own));
    await comes(() => said(instance.server, AWAY) === 1);
    expect(await ready(instance)).toEqual([200, ['redis']]);
    const replies = await toBoth([instance.client, instance.client], 30, '/events');
    expect([counted(replies, 200), counted(replies, 429)]).toEqual([20, 10]);
    await own.start();
    await comes(() => said(instance.server, SHARED) === 1);
    expect(await ready(instance)).toEqual([200, undefined]);
    expect(left(await instance.client.get('/events'))).toBe(19);
    expect(said(instance.server, AWAY)).toBe(1);
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)('limits locally after a %s of Redis, and reconnects', async (signal) => {
    own = await OwnRedis.prepare();
    await own.start();
    const instance = await start({ ...settings(own), METRICS_PORT: '0' });
    const metricsPort = metricsPortOf(instance.server);
    const shared = async () =>
      /^kalends_limits_shared (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1];
    await comes(() => said(instance.server, SHARED) === 1);
    expect(await shared()).toBe('1');
    for (let n = 0; n < 5; n += 1) await instance.client.get('/events');
    if (signal === 'SIGKILL') await own.kill();
    else own.signal(signal);
    const replies = await toBoth([instance.client, instance.client], 30, '/events');
    expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(counted(replies, 200)).toBe(20);
    await comes(() => said(instance.server, AWAY) === 1);
    expect([await ready(instance), await shared()]).toEqual([[200, ['redis']], '0']);
    if (signal === 'SIGKILL') await own.start();
    else own.signal('SIGCONT');
    await comes(() => said(instance.server, SHARED) === 2);
    expect([await ready(instance), await shared()]).toEqual([[200, undefined], '1']);
    expect(said(instance.server, AWAY)).toBe(1);
    // A frozen Redis server later carries out the commands that it got before.
    const { status } = await instance.client.get('/events');
    if (signal === 'SIGKILL') expect(status).toBe(200);
    else expect([200, 429]).toContain(status);
  });

  it('reads REDIS_URL with its password from a file, and does not log the password', async () => {
    own = await OwnRedis.prepare('--requirepass', 'canary-right');
    await own.start();
    const file = join(emptyFolder(), 'redis-url');
    const withPassword = async (password: string) => {
      writeFileSync(file, `redis://:${password}@127.0.0.1:${own?.port}/1\n`);
      return start({ REDIS_URL_FILE: file });
    };
    const right = await withPassword('canary-right');
    await comes(() => said(right.server, SHARED) === 1);
    const wrong = await withPassword('canary-wrong');
    await comes(() => said(wrong.server, AWAY) === 1);
    expect((await wrong.client.get('/events')).status).toBe(200);
    for (const { server } of [right, wrong]) expect(server.output.stdout + server.output.stderr).not.toMatch(/canary/);
  });
});
