import { Database } from '../../src/database/database.js';
import { Log } from '../../src/platform/observability/log.js';
import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import type { Sent } from '../support/client.js';
import { Collector } from '../support/collector.js';
import { event } from '../support/factories.js';
import { Receiver, TO_RECEIVERS } from '../support/receiver.js';
import { until } from '../support/until.js';
import { WebhookDispatcher } from '../../src/webhooks/dispatch/dispatcher.js';

const MOUNT = '/calendar/events/v1';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const calledBy = (flags: string): Sent => ({ headers: { traceparent: `00-${TRACE}-${SPAN}-${flags}` } });
/** Sends spans after 1 ms, because the default delay of five seconds would slow down the tests. */
const AT_ONCE = { OTEL_BSP_SCHEDULE_DELAY: '1' };

describe('traces', () => {
  const collector = new Collector();
  let service: TestApp;
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await collector.open();
    service = await startApp({
      ...AT_ONCE,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
      OTEL_SERVICE_NAME: 'calendar',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
  });
  afterAll(async () => {
    await service.close();
    await collector.close();
  });

  it('contain a read as a child of the calling span, with its statements', async () => {
    const { client, tokens } = service;
    const { id } = await event(client, tokens.adm);
    const reply = await client.send(`/events/${id}?_fields=id`, calledBy('01'));
    const span = await collector.request(reply.headers['x-request-id']);
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, kind: 2, name: `GET ${MOUNT}/events/:id` });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': `${MOUNT}/events/:id`,
      'http.response.status_code': 200,
      'http.response.header.x-request-id': [reply.headers['x-request-id']],
      'url.path': `${MOUNT}/events/${id}`,
      'url.scheme': 'http',
    });
    expect(span.resource).toMatchObject({ 'service.name': 'calendar', 'deployment.environment.name': 'test' });
    expect(collector.headers.at(-1)).toMatchObject({ 'x-key': 'of-the-collector' });
    const statements = collector.childrenOf(span);
    expect(statements.length).toBeGreaterThan(0);
    for (const { kind, name, attributes } of statements) {
      expect([kind, name, attributes['db.operation.name']]).toEqual([3, 'SELECT', 'SELECT']);
      expect(attributes['db.system.name']).toBe(service.app.get(Database).dialect.name);
      expect(attributes['db.query.text']).toMatch(/^SELECT /);
    }
  });

  it('contain a write with its transaction and the statements in it', async () => {
    const { client, tokens } = service;
    const body = { name: 'Traced' };
    const reply = await client.send('/tags', { method: 'POST', token: tokens.adm, body });
    expect(reply.status).toBe(201);
    const span = await collector.request(reply.headers['x-request-id']);
    expect([span.name, span.parentSpanId ?? '']).toEqual([`POST ${MOUNT}/tags`, '']);
    const [transaction, ...others] = collector.childrenOf(span).filter(({ name }) => name === 'transaction');
    expect(others).toEqual([]);
    const within = collector.childrenOf(transaction ?? span);
    expect(within.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'UPDATE', 'BATCH']));
    const last = within.find(({ attributes }) => String(attributes['db.query.text']).endsWith('COMMIT'));
    expect(last?.attributes).toMatchObject({ 'db.operation.name': 'BATCH', 'db.operation.batch.size': 2 });
    const update = await client.send(`/tags/${reply.body.id}`, { method: 'PUT', token: tokens.adm, body });
    expect((await collector.request(update.headers['x-request-id'])).name).toBe(`PUT ${MOUNT}/tags/:id`);
  });

  it('mark 5xx as an error but not 4xx, and contain no route name for an unknown route', async () => {
    const { app, client } = service;
    const unknown = await collector.request((await client.get('/nothing')).headers['x-request-id']);
    expect([unknown.name, unknown.status.code ?? 0]).toEqual(['GET', 0]);
    expect(unknown.attributes).toMatchObject({ 'http.response.status_code': 404 });
    expect(unknown.attributes).not.toHaveProperty('http.route');
    const refused = await client.raw('/', { method: 'PROPFIND' });
    const odd = await collector.request(refused.headers['x-request-id']);
    expect([odd.name, odd.attributes['http.request.method']]).toEqual(['HTTP', '_OTHER']);
    const database = app.get(Database);
    const failure = Object.assign(new Error("Duplicate entry 'canary-quoted'"), { code: 'ER_SOMETHING' });
    database.query = () => database.observer.statements(['SELECT 1'], () => Promise.reject(failure));
    const reply = await client.get('/events', 'any');
    Reflect.deleteProperty(database, 'query');
    expect(reply.status).toBe(500);
    const span = await collector.request(reply.headers['x-request-id']);
    expect([span.status.code, span.attributes['error.type']]).toEqual([2, '500']);
    const [statement] = collector.childrenOf(span);
    expect(statement?.status).toEqual({ code: 2 });
    expect(statement?.attributes['error.type']).toBe('ER_SOMETHING');
  });

  it('appear with their ids in the log, also for a request that starts its own trace', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = service.app.get(Log);
    log.info = (fields: object) => void lines.push(fields as Record<string, unknown>);
    const replies = [await service.client.get('/tags'), await service.client.send('/tags', calledBy('01'))];
    Reflect.deleteProperty(log, 'info');
    for (const [n, { headers }] of replies.entries()) {
      const { traceId, spanId } = await collector.request(headers['x-request-id']);
      expect(lines[n]).toMatchObject({ requestId: headers['x-request-id'], traceId, spanId });
    }
    expect(lines[1]).toMatchObject({ traceId: TRACE, parentId: SPAN });
  });

  it('leave out health probes, and requests that the caller does not sample', async () => {
    const before = collector.spans.length;
    const silent = await service.client.send('/events', calledBy('00'));
    for (const path of ['/health/live', '/health/ready?x=1']) await service.client.raw(path);
    const last = await collector.request((await service.client.get('/venues')).headers['x-request-id']);
    expect(silent.status).toBe(200);
    const traces = new Set(collector.spans.slice(before).map(({ traceId }) => traceId));
    expect([...traces]).toEqual([last.traceId]);
  });

  it('contain each webhook message as a trace of its own, which its traceparent names', async () => {
    const receiver = await Receiver.listen();
    const own = await startOwnApp({ ...AT_ONCE, ...TO_RECEIVERS, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    own.app.get(WebhookDispatcher).start();
    const url = `${receiver.url}?key=canary-webhook`;
    await own.client.post('/webhooks', { url }, own.tokens.adm);
    receiver.answer = (response) => void response.writeHead(500).end();
    await event(own.client, own.tokens.adm);
    const [message] = await receiver.wait(1);
    const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(String(message?.headers.traceparent)) ?? [];
    expect(spanId).toBeDefined();
    const sent = () => collector.spans.find((span) => span.spanId === spanId);
    await until(() => sent() !== undefined);
    expect(sent()).toMatchObject({ traceId, name: 'POST webhook', kind: 3, status: { code: 2 } });
    expect(sent()?.attributes).toEqual({ 'http.response.status_code': 500, 'error.type': 'status' });
    expect(collector.text).not.toContain('canary-webhook');
    await own.close();
    await receiver.close();
  });

  it('contain no value of a query, a body, a statement or a header, and no secret', async () => {
    const { client, tokens } = service;
    const { id } = await event(client, tokens.adm, { title: 'canary-title', venue: { venue: 'canary-venue' } });
    await client.put(`/events/${id}`, { password: 'canary-password' }, tokens.adm);
    const basic = Buffer.from('admin:canary-basic').toString('base64');
    const headers = { 'idempotency-key': 'canary-key', 'user-agent': 'canary-agent', cookie: 'canary-cookie' };
    await client.send('/tags', { method: 'POST', token: tokens.adm, body: { name: 'canary-name' }, headers });
    await client.send('/events', { headers: { authorization: `Basic ${basic}` } });
    for (const query of ['password=canary-password', 'password=canary-wrong', 'a=canary']) {
      await client.get(`/events/${id}?${query}`);
    }
    const last = await client.get('/events?search=canary-search&start_date=2031-07-19');
    await collector.request(last.headers['x-request-id']);
    expect(collector.text).toContain(`${MOUNT}/events/${id}`);
    expect(collector.text.match(/canary|2031-07-19/i)).toBeNull();
    for (const secret of [...Object.values(tokens), basic]) expect(collector.text.includes(secret)).toBe(false);
  });
});
