import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { Log } from '../../src/platform/observability/log.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { type TestApp, startApp, startBeside } from '../support/app.js';
import type { Sent } from '../support/client.js';
import { receive } from '../support/gzipped.js';
import { fillSite, PAGES } from '../support/site-records.js';
import { countStages } from '../support/stages-passed.js';

const MOUNT = '/calendar/events/v1';

/** The anonymous reads of the recorded session, and further ones of each kind. */
const SESSION = readFileSync(join(process.cwd(), 'test', 'conformance', 'session.txt'), 'utf8');
const READS = [
  ...new Set([...SESSION.matchAll(/^GET (\S+) anonymous$/gm)].map(([, path]) => `${MOUNT}${path}`)),
  ...['', '/', '/doc', '/events.ics', '/events/1.ics', '/events/2?password=sesame', '/events/2', '/events/999'].map(
    (path) => `${MOUNT}${path}`,
  ),
  ...['/events?per_page=3&_fields=id,title', '/events?search=choir', '/events?page=x', '/venues/1', '/tags'].map(
    (path) => `${MOUNT}${path}`,
  ),
  '/wp-json/tribe/events/v1/events',
  '/de/calendar/events/v1/events/1',
  '/wp-json/',
  '/events/?ical=1',
  '/events/category/music/?ical=1',
  '/nothing',
  '/health/live',
  ...Object.values(PAGES),
];

/** Headers by which equal requests differ, and by which they do not. */
const WAYS: Record<string, Sent> = {
  plain: {},
  HEAD: { method: 'HEAD' },
  gzip: { headers: { 'accept-encoding': 'gzip' } },
  'HEAD, gzip': { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } },
  browser: { headers: { accept: 'text/html', 'accept-language': 'fr, de;q=0.5' } },
  program: { headers: { accept: 'application/json' } },
  'allowed page': { headers: { origin: 'https://app.example' } },
  'other page': { headers: { origin: 'https://other.example' } },
  'unknown host': { headers: { host: 'elsewhere.example' } },
  'any tag': { headers: { 'if-none-match': '*' } },
  'request id': { headers: { 'x-request-id': 'r-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } },
  proxy: { headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'shown.example' } },
  range: { headers: { range: 'bytes=0-3' } },
  'precondition of a write': { headers: { 'if-match': '"no"' } },
  'wrong token': { headers: { authorization: 'Bearer wrong' } },
};

const SETTINGS = { CORS_ORIGINS: 'https://app.example', FAILED_ATTEMPTS: '100000', LANGUAGES: 'en,de,fr' };

/** Records what a service writes to its log about requests. */
function recordLog({ app }: Pick<TestApp, 'app'>): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  app.get(Log).info = (fields, message) => {
    if (message === 'request') lines.push(fields as Record<string, unknown>);
  };
  return lines;
}

/** Sends a request and waits for its line in the log, which comes after the response. Probes have none. */
async function observe(service: Pick<TestApp, 'client'>, log: object[], path: string, sent: Sent) {
  log.length = 0;
  // Instances have different ports, and links contain the host.
  const reply = await receive(service.client.port, path, sent.headers, sent.method);
  while (!path.startsWith('/health') && log.length === 0) await nextTurn();
  const [line] = log as Record<string, unknown>[];
  const { date, 'x-request-id': id, ...headers } = reply.headers;
  expect([typeof date, typeof id, typeof (line?.ms ?? 0)]).toEqual(['string', 'string', 'number']);
  if (line !== undefined) expect(line.requestId).toBe(id);
  return {
    id: sent.headers?.['x-request-id'] && id,
    status: reply.status,
    headers,
    bytes: reply.bytes.toString('latin1'),
    logged: { ...line, ms: undefined, requestId: undefined },
  };
}

describe('the fast path', () => {
  let service: TestApp;
  let other: Awaited<ReturnType<typeof startBeside>>;
  let stages: { passed: number };
  let metricsPort: number;
  const logs: Record<string, unknown>[][] = [];
  beforeAll(async () => {
    service = await startApp({ ...SETTINGS, METRICS_PORT: '0', HOST: '127.0.0.1' });
    await fillSite(service);
    other = await startBeside(service, { ...SETTINGS, CACHE_ENTRIES: '0' });
    stages = countStages(service);
    logs.push(recordLog(service), recordLog(other));
    metricsPort = (await service.app.get(Metrics).listen()) as number;
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  const counts = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const lines = text.matchAll(
      /^(kalends_(?:http_requests_in_flight|http_request_duration_seconds_count).*) (\d+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]));
  };
  const addedBy = async (work: () => Promise<unknown>) => {
    const before = await counts();
    await work();
    const after = await counts();
    const names = Object.keys(after).filter((name) => after[name] !== (before[name] ?? 0));
    return names.map((name) => [name, after[name]! - (before[name] ?? 0)]);
  };

  test.each(Object.keys(WAYS))('sends, logs and counts the same as the stages: %s', async (way) => {
    const sent = WAYS[way]!;
    const expected: unknown[] = [];
    for (const path of READS) expected.push([path, await observe(other, logs[1]!, path, sent)]);
    const added: unknown[] = [];
    for (let time = 1; time <= 3; time += 1) {
      const found: unknown[] = [];
      stages.passed = 0;
      added.push(
        await addedBy(async () => {
          for (const path of READS) found.push([path, await observe(service, logs[0]!, path, sent)]);
        }),
      );
      expect(found).toEqual(expected);
    }
    expect(added).toEqual([added[0], added[0], added[0]]);
    const fast = READS.length - stages.passed;
    const isExcluded = ['unknown host', 'range', 'precondition of a write', 'wrong token'].includes(way);
    // Responses for unknown hosts are not cached. Programs are redirected from pages.
    expect(fast > 20).toBe(!isExcluded);
    if (isExcluded) expect(fast).toBe(0);
  });

  /** Returns how many of these requests have passed the stages. */
  const passing = async (path: string, sent: Sent = {}, count = 3) => {
    const before = stages.passed;
    for (let time = 0; time < count; time += 1) await receive(service.client.port, path, sent.headers, sent.method);
    return stages.passed - before;
  };

  it('is taken by the third of equal requests', async () => {
    expect(await passing(`${MOUNT}/events?per_page=4`, {}, 10)).toBe(2);
  });

  it('is not taken by errors, redirects, credentials, passwords, bodies and other methods', async () => {
    const requests: [string, Sent?][] = [
      [`${MOUNT}/events?page=0`],
      [`${MOUNT}/events/999`],
      ['/event/long-night', {}],
      ['/event/long-night/', { headers: { accept: 'application/json' } }],
      [`${MOUNT}/events/1`, { headers: { authorization: `Bearer ${service.tokens.edi}` } }],
      [`${MOUNT}/events/1?password=sesame`],
      [`${MOUNT}/events/1`, { headers: { expect: 'other' } }],
      [`${MOUNT}/events/1`, { method: 'OPTIONS' }],
      [`${MOUNT}/events?start_date=now`],
      ['/events/category/music/?ical=1'],
    ];
    for (const [path, sent] of requests) expect([path, await passing(path, sent)]).toEqual([path, 3]);
  });

  it('answers 304 to a known tag, with the headers of the stages', async () => {
    const path = `${MOUNT}/events/1?_fields=id`;
    expect(await passing(path)).toBe(2);
    const { headers } = await receive(service.client.port, path);
    for (const tag of [headers.etag!, `W/${headers.etag!}`, `"x", ${headers.etag!}`, '*', '"x"']) {
      const sent = { headers: { 'if-none-match': tag } };
      const expected = await observe(other, logs[1]!, path, sent);
      expect(expected.status).toBe(tag === '"x"' ? 200 : 304);
      const before = stages.passed;
      expect(await observe(service, logs[0]!, path, sent)).toEqual(expected);
      expect(stages.passed).toBe(before);
    }
  });

  it('does not mix hosts, languages, origins and encodings', async () => {
    const values = [
      ...['localhost', '127.0.0.1', 'LOCALHOST:1', 'elsewhere.example'].map((host) => ({ host })),
      ...['de', 'fr', '', 'en;q=0'].map((language) => ({ 'accept-language': language })),
      ...['https://app.example', 'null', ''].map((origin) => ({ origin })),
      ...['gzip', 'gzip;q=0', 'br', ''].map((encoding) => ({ 'accept-encoding': encoding })),
    ];
    for (let time = 1; time <= 3; time += 1) {
      for (const path of [`${MOUNT}/events?per_page=2`, '/', `${MOUNT}/doc`]) {
        for (const headers of values) {
          const expected = await observe(other, logs[1]!, path, { headers });
          expect([path, headers, await observe(service, logs[0]!, path, { headers })]).toEqual([
            path,
            headers,
            expected,
          ]);
        }
      }
    }
  });
});
