import { Metrics } from '../../src/platform/observability/metrics.js';
import { startApp, type TestApp } from '../support/app.js';
import { event } from '../support/factories.js';
import { Client } from '../support/client.js';

describe('METRICS_PORT', () => {
  let service: TestApp;
  let port: number;
  beforeAll(async () => {
    service = await startApp({ METRICS_PORT: '0', HOST: '127.0.0.1' });
    port = (await service.app.get(Metrics).listen()) as number;
  });
  afterAll(() => service.close());

  const scrape = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('version=0.0.4')]);
    return reply.text();
  };
  const counted = async (labels: string) => {
    const line = new RegExp(`^kalends_http_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm');
    return Number(line.exec(await scrape())?.[1] ?? 0);
  };

  it('counts requests by method, route template and status, and contains no URLs or secrets', async () => {
    const { client, tokens } = service;
    const { id } = await event(client, tokens.adm, { title: 'Canary title' });
    await client.put(`/events/${id}`, { password: 'canary-1' }, tokens.adm);
    for (const password of ['canary-2', 'canary-1']) await client.get(`/events/${id}?password=${password}`);
    await client.get('/events/by-slug/canary-title', 'canary-3');
    await client.raw('/canary-4');
    await client.raw('/', { method: 'PROPFIND' });
    expect(await counted('method="POST",route="/events",status="201"')).toBe(1);
    expect(await counted('method="PUT",route="/events/:id",status="200"')).toBe(1);
    expect(await counted('method="GET",route="/events/:id",status="200"')).toBe(1);
    expect(await counted('method="GET",route="/events/:id",status="403"')).toBe(1);
    expect(await counted('method="GET",route="none",status="404"')).toBe(1);
    expect(await counted('method="other",route="none",status="405"')).toBe(1);
    const text = await scrape();
    expect(text).not.toMatch(/canary/i);
    for (const token of Object.values(tokens)) expect(text).not.toContain(token);
  });

  it('reports requests in flight, database connections and process metrics', async () => {
    const text = await scrape();
    expect(text).toMatch(/^kalends_http_requests_in_flight 0$/m);
    expect(text).toMatch(/^kalends_database_waiting 0$/m);
    expect(text).toMatch(/^kalends_bodies_in_flight_bytes 0$/m);
    expect(text).toMatch(/^kalends_answers_in_flight_bytes 0$/m);
    const used = /^kalends_database_connections\{state="used"\} (\d+)$/m.exec(text)?.[1];
    const idle = /^kalends_database_connections\{state="idle"\} (\d+)$/m.exec(text)?.[1];
    expect(Number(used)).toBe(0);
    expect(Number(idle) > 0).toBe(process.env.DATABASE_URL?.startsWith('mysql:') ?? false);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });

  it('counts 429 responses by limit', async () => {
    const strict = await startApp({ METRICS_PORT: '0', HOST: '127.0.0.1', FAILED_ATTEMPTS: '1', RATE_LIMIT: '5/3600' });
    const { client, tokens } = strict;
    const url = `http://127.0.0.1:${await strict.app.get(Metrics).listen()}/metrics`;
    const { id } = await event(client, tokens.adm);
    await client.put(`/events/${id}`, { password: 'right' }, tokens.adm);
    for (let n = 0; n < 3; n += 1) await client.get(`/events/${id}?password=wrong`, tokens.sub);
    for (let n = 0; n < 4; n += 1) await client.get('/events', 'wrong');
    for (let n = 0; n < 6; n += 1) await client.get('/events', tokens.edi);
    const text = await (await fetch(url)).text();
    await strict.close();
    const refusals = [...text.matchAll(/^kalends_refusals_total\{limit="(\w+)"\} (\d+)$/gm)];
    expect(Object.fromEntries(refusals.map(([, limit, count]) => [limit, count]))).toEqual({
      passwords: '2',
      credentials: '3',
      requests: '1',
    });
    expect(text).not.toMatch(/kalends_limits_shared/);
  });

  it('serves only /metrics, and only on its own port', async () => {
    for (const path of ['/', '/calendar/events/v1/events', '/metrics/x']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    }
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await new Client(service.client.port, '').raw('/metrics')).status).toBe(404);
  });

  it('opens no port when it is unset', async () => {
    const without = await startApp();
    expect(await without.app.get(Metrics).listen()).toBeUndefined();
    expect((await without.client.get('/events')).status).toBe(200);
    await without.close();
  });
});
