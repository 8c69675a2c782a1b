import type { Response } from 'express';
import { Module } from '@nestjs/common';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { Log } from '../../src/platform/observability/log.js';
import { PipelineStage, type Stage } from '../../src/platform/http/pipeline/stage.js';
import type { KalendsRequest } from '../../src/platform/http/request.js';
import { Health } from '../../src/platform/server/health.js';
import { startApp, startBeside, startOwnApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { receive } from '../support/gzipped.js';
import { overSocket } from '../support/socket.js';
import { countStages } from '../support/stages-passed.js';

const PATH = '/calendar/events/v1/events';

describe('the fast path, after a change', () => {
  let service: TestApp;
  let other: Awaited<ReturnType<typeof startBeside>>;
  beforeAll(async () => {
    service = await startApp();
    other = await startBeside(service);
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  const read = async (path: string): Promise<Reply> => {
    const replies: Reply[] = [];
    for (let time = 0; time < 4; time += 1) replies.push(await service.client.get(path));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    return replies[0]!;
  };
  const fields = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' };

  it('shows the write of another process at once', async () => {
    const { id } = (await service.client.post('/events', { title: 'A', ...fields }, service.tokens.adm)).body;
    for (const title of ['B', 'C', 'D']) {
      await read(`/events/${id}`);
      await other.client.put(`/events/${id}`, { title }, service.tokens.adm);
      expect((await service.client.get(`/events/${id}`)).body.title).toBe(title);
    }
    await other.client.delete(`/events/${id}`, service.tokens.adm);
    expect((await service.client.get(`/events/${id}`)).status).toBe(403);
  });

  it('shows a scheduled event at its time', async () => {
    const hidden = { title: 'Scheduled', date_utc: '2026-11-20 09:00:00', ...fields };
    const { id } = (await service.client.post('/events', hidden, service.tokens.adm)).body;
    const seen: unknown[] = [];
    for (const time of ['08:59:59', '09:00:00', '08:59:59']) {
      service.setNow(`2026-11-20T${time}Z`);
      seen.push([(await read('/events')).body.total, (await read(`/events/${id}`)).status]);
    }
    expect(seen).toEqual([
      [0, 403],
      [1, 200],
      [0, 403],
    ]);
  });
});

/** Runs a test on a service of its own, with the number of requests that passed the stages. */
async function withService(
  settings: Record<string, string>,
  work: (service: TestApp, stages: { passed: number }) => Promise<void>,
  modules: (new () => object)[] = [],
): Promise<void> {
  const service = await startOwnApp(settings, { modules });
  try {
    await work(service, countStages(service));
  } finally {
    await service.close();
  }
}

describe('the fast path counts against RATE_LIMIT', () => {
  it('with the headers of the stages, 429 beyond it, and no count for a 304', () =>
    withService({ RATE_LIMIT: '6/60', METRICS_PORT: '0', HOST: '127.0.0.1' }, async (service, stages) => {
      const port = (await service.app.get(Metrics).listen()) as number;
      const send = (tag?: string) =>
        receive(service.client.port, PATH, tag === undefined ? {} : { 'if-none-match': tag });
      const left = async (tag?: string) => {
        const { status, headers } = await send(tag);
        expect(headers['ratelimit-policy']).toBe('"default";q=6;w=60');
        return [status, /r=(\d+);t=\d+$/.exec(headers.ratelimit ?? '')?.[1]];
      };
      const found = [await left(), await left(), await left()];
      expect(stages.passed).toBe(2);
      const { etag } = (await send()).headers;
      found.push(await left(etag), await left(etag), await left('*'), await left(), await left(), await left());
      expect(found.map(String)).toEqual([
        '200,5',
        '200,4',
        '200,3',
        '304,2',
        '304,2',
        '304,1',
        '200,0',
        '429,0',
        '429,0',
      ]);
      // A request beyond the limit passes the stages, which send the error.
      expect(stages.passed).toBe(4);
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toContain('kalends_refusals_total{limit="requests"} 2\n');
      expect(metrics).toMatch(/^kalends_http_requests_in_flight 0$/m);
    }));

  it('by the address behind a trusted proxy, and logs it', () =>
    withService({ RATE_LIMIT: '100/60', TRUST_PROXY: '127.0.0.1' }, async ({ app, client }, stages) => {
      const lines: Record<string, unknown>[] = [];
      app.get(Log).info = (fields) => void lines.push(fields as Record<string, unknown>);
      const from = (address: string, host = 'localhost') =>
        receive(client.port, PATH, { 'x-forwarded-for': address, 'x-forwarded-host': host });
      for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1']) await from(address);
      expect(stages.passed).toBe(2);
      const { headers } = await from('192.0.2.2');
      expect(headers.ratelimit).toMatch(/r=98;/);
      const shown = await from('192.0.2.2', '127.0.0.1');
      expect([shown.headers['x-tec-api-root'], stages.passed]).toEqual(['http://127.0.0.1/calendar/events/v1/', 3]);
      await expect.poll(() => lines.length).toBe(6);
      expect(lines.map(({ clientAddress }) => clientAddress)).toEqual([
        ...['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.2'],
      ]);
    }));
});

describe('the fast path is left to the stages', () => {
  it('by two hosts, of which one is known', () =>
    withService({}, async ({ client }, stages) => {
      for (let time = 0; time < 3; time += 1) await receive(client.port, PATH);
      expect(stages.passed).toBe(2);
      const request = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nhost: other\r\nConnection: close\r\n\r\n`;
      expect(await overSocket(client.port, [request])).toMatch(/^HTTP\/1\.1 400 /);
    }));

  it('while the service stops, so that the connection closes', () =>
    withService({}, async ({ app, client }, stages) => {
      const known = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      for (let time = 0; time < 3; time += 1)
        expect(await overSocket(client.port, [known])).toMatch(/^HTTP\/1\.1 200 /);
      expect(stages.passed).toBe(2);
      app.get(Health).stop();
      // An equal request that does not itself ask for the end of the connection.
      const last = await overSocket(client.port, [known.replace('Connection: close\r\n', '')]);
      expect(last.match(/HTTP\/1\.1 200 |\r\nConnection: close/g)).toEqual(['HTTP/1.1 200 ', '\r\nConnection: close']);
      expect(stages.passed).toBe(3);
    }));

  /** Adds a header that changes with each request, or none. */
  const moduleWith = (members: Partial<Stage>) => {
    let count = 0;
    @PipelineStage('authenticated')
    class CountingStage implements Stage {
      handle(request: KalendsRequest, response: Response): boolean {
        if (request.headers['x-count'] !== undefined) response.setHeader('X-Count', (count += 1));
        return false;
      }
    }
    Object.assign(CountingStage.prototype, members);
    @Module({ providers: [CountingStage] })
    class CountingModule {}
    return CountingModule;
  };

  it('by a stage of a module that does not say what it depends on', () =>
    withService(
      {},
      async ({ client }, stages) => {
        for (let time = 0; time < 4; time += 1) await receive(client.port, PATH);
        expect(stages.passed).toBe(4);
      },
      [moduleWith({})],
    ));

  it('by a request that such a stage does not treat like an equal one', () =>
    withService(
      {},
      async ({ client }, stages) => {
        const counts: unknown[] = [];
        for (let time = 0; time < 3; time += 1) {
          counts.push((await receive(client.port, `${PATH}?a=1`, { 'x-count': '1' })).headers['x-count']);
          await receive(client.port, PATH);
        }
        expect([counts, stages.passed]).toEqual([['1', '2', '3'], 5]);
      },
      [moduleWith({ isRepeatable: ({ headers }) => headers['x-count'] === undefined })],
    ));
});
