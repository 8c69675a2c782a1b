import { Client } from '../support/client.js';
import { Collector } from '../support/collector.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startServer } from '../support/process.js';

const MOUNT = '/calendar/events/v1';
/** Exports spans at once instead of every five seconds. */
const AT_ONCE = { OTEL_BSP_SCHEDULE_DELAY: '1' };

describe('a server', () => {
  const TOKEN = 'a-token-of-at-least-32-characters-or-so';
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  const start = (settings: Record<string, string>) =>
    startServer({ DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, ...settings });
  const ask = async ({ port }: { port: number }) => (await new Client(port, MOUNT).raw(`${MOUNT}/events`)).status;

  it('loads OpenTelemetry only with an endpoint, and not if it is disabled', async () => {
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const off = { ...on, OTEL_SDK_DISABLED: 'true' };
    const loaded = [];
    for (const settings of [{}, on, off]) {
      const server = await start({ ...settings, NODE_DEBUG: 'module' });
      await ask(server);
      await server.stop();
      loaded.push(/@opentelemetry/.test(server.output.stderr));
    }
    expect(loaded).toEqual([false, true, false]);
  }, 60_000);

  it('exports the remaining spans when it stops', async () => {
    const collector = new Collector();
    const endpoint = await collector.open();
    const server = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/as/it/is`,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    expect(await ask(server)).toBe(200);
    expect(collector.spans).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toContain(`GET ${MOUNT}/events`);
    expect(collector.text).toMatch(/^\/as\/it\/is /);
    await collector.close();
  });

  it.each([
    ['refuses', (response: { writeHead(status: number): { end(): void } }) => void response.writeHead(400).end()],
    ['is silent', () => undefined],
  ])('responds and stops normally when the collector %s', async (_, answer) => {
    const collector = new Collector(answer);
    const server = await start({
      ...AT_ONCE,
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open(),
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_EXPORT_TIMEOUT: '300',
    });
    for (let n = 0; n < 20; n += 1) expect(await ask(server)).toBe(200);
    while (!server.output.stdout.includes('traces cannot be sent')) await ask(server);
    for (let n = 0; n < 20; n += 1) expect(await ask(server)).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.output.stdout.split('traces cannot be sent')).toHaveLength(2);
    await collector.close();
  });
});
