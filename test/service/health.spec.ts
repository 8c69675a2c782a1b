import { Database } from '../../src/database/database.js';
import { Log } from '../../src/platform/observability/log.js';
import { Health } from '../../src/platform/server/health.js';
import { startApp, type TestApp } from '../support/app.js';

let service: TestApp;
beforeEach(async () => {
  service = await startApp();
});
afterEach(() => service.close());
const probe = (path: string, method = 'GET') => service.client.raw(path, { method });

test('GET /health/live returns 200 without asking the database', async () => {
  service.app.get(Database).query = () => Promise.reject(new Error('nobody asks'));
  const { status, headers, body } = await probe('/health/live');
  expect([status, body]).toEqual([200, { status: 'live' }]);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect((await probe('/health/live', 'HEAD')).text).toBe('');
});

test('GET /health/ready returns 503 with a reason until the service has started, and when it stops', async () => {
  const reasonOf = async () => {
    const { status, headers, body } = await probe('/health/ready');
    return [status, headers['retry-after'], body.code, body.data?.reason as unknown];
  };
  expect(await reasonOf()).toEqual([503, '1', 'service_unavailable', 'starting']);
  service.app.get(Health).start();
  expect((await probe('/health/ready')).body).toEqual({ status: 'ready' });
  service.app.get(Health).stop();
  expect(await reasonOf()).toEqual([503, '1', 'service_unavailable', 'stopping']);
  expect((await probe('/health/live')).status).toBe(200);
});

test('a stopping service serves requests and closes their connections', async () => {
  service.app.get(Health).stop();
  for (const path of ['/events', '/events/0', '/nothing']) {
    const { status, headers } = await service.client.send(path, { headers: { connection: 'keep-alive' } });
    expect([path, status < 500, headers.connection]).toEqual([path, true, 'close']);
  }
});

test('probes accept only GET and HEAD, and are neither logged nor listed in the index', async () => {
  const lines: object[] = [];
  service.app.get(Log).info = (fields: object) => void lines.push(fields);
  for (const path of ['/health/live', '/health/ready']) {
    const { status, headers } = await probe(path, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  }
  expect(lines).toEqual([]);
  for (const path of ['/health', '/health/', '/health/live/x', '/Health/live']) {
    expect((await probe(path)).status).toBe(404);
  }
  expect(Object.keys((await service.client.get('')).body.routes as object)).toHaveLength(26);
  expect((await service.client.get('/health/live')).status).toBe(404);
});
