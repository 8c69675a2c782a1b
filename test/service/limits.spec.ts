import { setTimeout as sleep } from 'node:timers/promises';
import { UsersService } from '../../src/platform/auth/users.service.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply, Sent } from '../support/client.js';
import { event } from '../support/factories.js';

const TOO_MANY = { code: 'rest_too_many_requests', message: 'Too many requests.', data: { status: 429 } };
const ADDRESS = /^"default";r=(\d+);t=(\d+)$/;

/** Runs a test on its own service, because each test uses up the rate limit. */
async function limited(RATE_LIMIT: string, work: (service: TestApp) => Promise<void>, settings = {}): Promise<void> {
  const service = await startApp({ RATE_LIMIT, ...settings });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

/** Returns the remaining requests of the RateLimit header, or NaN without this header. */
const left = ({ headers }: Reply) => Number(ADDRESS.exec(headers.ratelimit ?? '')?.[1] ?? NaN);
const from = (address: string): Sent => ({ headers: { 'x-forwarded-for': address } });
const times = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

describe('RATE_LIMIT (contract 5.6)', () => {
  it('sends no RateLimit headers if unset', async () => {
    const service = await startApp();
    const { headers } = await service.client.get('/events');
    await service.close();
    expect(headers).not.toHaveProperty('ratelimit');
    expect(headers).not.toHaveProperty('ratelimit-policy');
  });

  it('sends the policy and the remaining requests with every response', () =>
    limited('100/60', async ({ client, tokens }) => {
      const requests: [number, string, Sent][] = [
        [200, '/events', {}],
        [200, '', {}],
        [200, '/events', { method: 'HEAD' }],
        [200, '/events', { method: 'OPTIONS' }],
        [400, '/events?page=x', {}],
        [400, '/events', { method: 'POST', body: '{' }],
        [401, '/events', { method: 'POST', body: { title: 'T', start_date: 'now', end_date: 'now' } }],
        [401, '/events', { token: 'wrong' }],
        [404, '/events/0', {}],
        [404, '/nothing', {}],
        [405, '/events', { method: 'DELETE' }],
        [414, `/events?a=${'x'.repeat(8192)}`, {}],
        [415, '/events', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
      ];
      const replies: Reply[] = [];
      for (const [, path, sent] of requests) replies.push(await client.send(path, sent));
      replies.push(await client.raw('/outside'), await client.raw('/'));
      expect(replies.map(({ status }) => status)).toEqual([...requests.map(([status]) => status), 404, 200]);
      expect(replies.map(left)).toEqual(replies.map((_, n) => 99 - n));
      for (const { headers } of replies) {
        expect(headers['ratelimit-policy']).toBe('"default";q=100;w=60');
        const seconds = Number(ADDRESS.exec(headers.ratelimit as string)?.[2]);
        expect(seconds > 0 && seconds <= 60).toBe(true);
      }
      const created = await event(client, tokens.adm);
      expect(left(await client.get(`/events/${created.id}`, tokens.adm))).toBe(98);
    }));

  it('rejects requests above the limit with 429, also concurrent ones', () =>
    limited('20/3600', async ({ client }) => {
      const replies = await times(50, () => client.get('/events'));
      const refused = replies.filter(({ status }) => status === 429);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
      expect(refused).toHaveLength(30);
      for (const { headers, body } of refused) {
        expect(body).toEqual(TOO_MANY);
        expect(headers.ratelimit).toBe(`"default";r=0;t=${headers['retry-after']}`);
        expect(headers['cache-control']).toBe('private, no-store');
      }
    }));

  it('accepts a client that has waited for Retry-After', () =>
    limited('2/1', async ({ client }) => {
      for (let turn = 0; turn < 3; turn += 1) {
        let reply = await client.get('/events');
        while (reply.status === 200) reply = await client.get('/events');
        await sleep(Number(reply.headers['retry-after']) * 1000);
        reply = await client.get('/events');
        expect([reply.status, left(reply)]).toEqual([200, 1]);
      }
    }));

  it('counts all tokens of a user together, and each user separately', () =>
    limited('3/3600', async ({ app, client, tokens, userIds }) => {
      const other = await app.get(UsersService).issueToken(userIds.edi);
      const get = async (token?: string) => (await client.get('/events', token)).status;
      const replies = [await get(tokens.edi), await get(other), await get(tokens.edi), await get(other)];
      expect(replies).toEqual([200, 200, 200, 429]);
      expect([await get(tokens.edi), await get(tokens.adm), await get()]).toEqual([429, 200, 200]);
    }));

  it('counts requests with wrong credentials, or rejected earlier, by client address', () =>
    limited('3/3600', async ({ client, tokens }) => {
      expect((await client.get('/events', 'wrong')).status).toBe(401);
      for (let n = 0; n < 2; n += 1) expect((await client.raw('/outside')).status).toBe(404);
      expect((await client.get('/events')).status).toBe(429);
      expect((await client.get('/events', tokens.sub)).status).toBe(200);
    }));

  it('GEN-06: takes the client address from trusted proxies only; an IPv6 /64 network is one client', () =>
    limited(
      '1/3600',
      async ({ client }) => {
        const get = async (address: string) => (await client.send('/events', from(address))).status;
        expect([await get('198.51.100.7'), await get('198.51.100.7'), await get('198.51.100.8')]).toEqual([
          200, 429, 200,
        ]);
        // A client can forge the addresses before the last one.
        expect(await get('203.0.113.1, 198.51.100.7')).toBe(429);
        expect([await get('2001:db8::1'), await get('2001:db8::ffff:2'), await get('2001:db8:0:1::1')]).toEqual([
          200, 429, 200,
        ]);
        expect([await get('::ffff:192.0.2.1'), await get('192.0.2.1'), await get('::ffff:c000:202')]).toEqual([
          200, 429, 200,
        ]);
      },
      { TRUST_PROXY: '127.0.0.1' },
    ));

  it('ignores X-Forwarded-For of an untrusted client', () =>
    limited('1/3600', async ({ client }) => {
      const replies = [
        await client.send('/events', from('198.51.100.7')),
        await client.send('/events', from('198.51.100.8')),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 429]);
    }));

  it('does not count a 304 response to a named ETag', () =>
    limited('3/3600', async ({ client }) => {
      const first = await client.get('/events');
      const headers = { 'if-none-match': first.headers.etag as string };
      const unchanged = [];
      for (let n = 0; n < 5; n += 1) unchanged.push(await client.send('/events', { headers }));
      expect(unchanged.map(({ status }) => status)).toEqual([304, 304, 304, 304, 304]);
      expect([left(first), ...unchanged.map(left)]).toEqual([2, 2, 2, 2, 2, 2]);
      expect(left(await client.get('/events'))).toBe(1);
      // `*` names no ETag. Such a request costs as much as one with a full response.
      const unnamed = await client.send('/events', { headers: { 'if-none-match': '*' } });
      expect([unnamed.status, left(unnamed)]).toEqual([304, 0]);
    }));

  it('counts neither probes nor CORS preflight requests', () =>
    limited('1/3600', async ({ client }) => {
      const preflight = {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      };
      const free: Reply[] = [];
      for (let n = 0; n < 3; n += 1) {
        free.push(await client.send('/events', preflight));
        free.push(await client.raw('/health/live'), await client.raw('/health/ready', { method: 'POST' }));
      }
      expect(free.slice(0, 3).map(({ status }) => status)).toEqual([204, 200, 405]);
      for (const { headers } of free) expect(headers).not.toHaveProperty('ratelimit');
      const { status, headers } = await client.send('/events', { headers: { origin: 'https://a.example' } });
      expect([status, headers.ratelimit]).toEqual([200, expect.stringMatching(/r=0/)]);
      for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy']) {
        expect(headers['access-control-expose-headers']?.split(', ')).toContain(name);
      }
    }));
});
