import { ConflictException, Injectable, Module, Scope, ServiceUnavailableException } from '@nestjs/common';
import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/connection/transaction.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { apiError } from '../../src/errors/api-error.js';
import {
  type EventHook,
  type EventWrite,
  EventWriteHook,
  type StoredWrite,
} from '../../src/events/hooks/write-hook.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { Log } from '../../src/platform/observability/log.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { ExpiredTrash } from '../../src/upkeep/expired-trash.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { E, event, venue } from '../support/factories.js';

/** What the hook of a test does besides taking notes. */
let before: (write: EventWrite, tx: Transaction) => unknown;
let after: (write: StoredWrite, tx: Transaction) => unknown;
/** The calls, as `before create 0 draft`: with the id, and the status that the event gets. */
let calls: string[];
let writes: EventWrite[];

/** A module that keeps a row of its own for each write. */
@EventWriteHook()
class Bookings implements EventHook {
  async beforeWrite(write: EventWrite, tx: Transaction): Promise<void> {
    calls.push(`before ${write.kind} ${write.id ?? 0} ${write.after?.status ?? 'gone'}`);
    writes.push(write);
    await before(write, tx);
  }

  async afterWrite(write: StoredWrite, tx: Transaction): Promise<void> {
    calls.push(`after ${write.kind} ${write.id} ${write.after?.status ?? 'gone'}`);
    await tx.insertMany('bookings', [{ event_id: write.id, kind: write.kind, title: write.after?.title ?? '' }]);
    await after(write, tx);
  }
}

@Module({ providers: [Bookings] })
class BookingsModule {}

let service: TestApp;
let adm: string;

beforeAll(async () => {
  service = await startOwnApp({}, { modules: [BookingsModule] });
  adm = service.tokens.adm;
  await service.app
    .get(Database)
    .inTransaction((tx) =>
      tx.execute(
        'CREATE TABLE bookings (event_id INTEGER NOT NULL, kind VARCHAR(20) NOT NULL, title VARCHAR(500) NOT NULL)',
      ),
    );
});
afterAll(() => service.close());
beforeEach(() => {
  before = after = () => undefined;
  calls = [];
  writes = [];
});

const query = <Row>(sql: string, params: (string | number)[] = []) => service.app.get(Database).query<Row>(sql, params);
const bookings = async (id: number) =>
  (await query<{ kind: string; title: string }>('SELECT kind, title FROM bookings WHERE event_id = ?', [id])).map(
    ({ kind, title }) => `${kind} ${title}`,
  );

/** Everything that a write may change. */
async function contents(): Promise<unknown> {
  const tables = [TABLES.events, TABLES.venues, TABLES.eventVenues, TABLES.changes, 'bookings'];
  const rows = await Promise.all(tables.map((table) => query(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  return [...rows, await query(`SELECT version FROM ${TABLES.dataVersion}`)];
}

/** A request whose answer no document tells: modules have errors of their own. */
async function send(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${adm}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${service.client.port}${service.client.mount}${path}`;
  const reply = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

/** Each kind of write of an event that exists. */
const WRITES: [string, (id: number) => ReturnType<typeof send>][] = [
  ['POST', () => send('POST', '/events', { ...E, venue: { venue: 'New hall' } })],
  ['PUT', (id) => send('PUT', `/events/${id}`, { title: 'New', venue: { venue: 'New hall' } })],
  ['PUT that trashes', (id) => send('PUT', `/events/${id}`, { status: 'trash' })],
  ['DELETE', (id) => send('DELETE', `/events/${id}`)],
  ['DELETE for good', (id) => send('DELETE', `/events/${id}?force=true`)],
];

describe('hooks of event writes', () => {
  it('are called before and after each write, whose effect they are told', async () => {
    const { client } = service;
    const { id } = await event(client, adm, { title: 'One' });
    await client.put(`/events/${id}`, { title: 'Two' }, adm);
    await client.put(`/events/${id}`, {}, adm);
    await client.put(`/events/${id}`, { status: 'trash' }, adm);
    await client.put(`/events/${id}`, { status: 'draft' }, adm);
    await client.delete(`/events/${id}`, adm);
    await client.delete(`/events/${id}?force=true`, adm);
    expect(calls).toEqual([
      ...['before create 0 publish', `after create ${id} publish`],
      ...[`before update ${id} publish`, `after update ${id} publish`],
      ...[`before delete ${id} trash`, `after delete ${id} trash`],
      ...[`before update ${id} draft`, `after update ${id} draft`],
      ...[`before delete ${id} trash`, `after delete ${id} trash`],
      ...[`before delete ${id} gone`, `after delete ${id} gone`],
    ]);
    expect(await bookings(id)).toEqual([
      'create One',
      'update Two',
      'delete Two',
      'update Two',
      'delete Two',
      'delete ',
    ]);
  });

  it('get the row before, the row after, the links and the caller', async () => {
    const { client, tokens, userIds } = service;
    const hall = await venue(client, adm);
    const { id } = await event(client, adm, { title: 'Row', venue: [hall.id, { venue: 'Made with it' }] });
    const [made] = writes;
    expect(made).toMatchObject({ after: { title: 'Row', slug: 'row', start_utc: '2027-03-10 10:00:00' } });
    expect([made?.id, made?.before, made?.context.caller.userId]).toEqual([undefined, undefined, userIds.adm]);
    expect(made?.links.venue).toEqual([hall.id, expect.any(Number)]);
    let stored: StoredWrite | undefined;
    after = (write) => (stored = write);
    await client.put(`/events/${id}`, { title: 'Changed', slug: 'changed' }, tokens.edi);
    expect(writes[1]).toMatchObject({ id, before: { title: 'Row', revision: 1 }, after: { title: 'Changed' } });
    expect([writes[1]?.links, writes[1]?.context.caller.userId]).toEqual([{}, userIds.edi]);
    expect(stored).toMatchObject({ id, before: { title: 'Row' }, after: { id, slug: 'changed', revision: 2 } });
  });

  it.each(WRITES)('reject a %s with the status of their error, and nothing is written', async (_name, write) => {
    const { id } = await event(service.client, adm);
    const untouched = await contents();
    for (const place of ['before', 'after'] as const) {
      const rejecting = (error: Error) => () => {
        throw error;
      };
      const rejectWith = (error: Error) => {
        before = place === 'before' ? rejecting(error) : () => undefined;
        after = place === 'after' ? rejecting(error) : () => undefined;
        return write(id);
      };
      expect(await rejectWith(apiError('rest_forbidden'))).toEqual({
        status: 403,
        body: expect.objectContaining({ code: 'rest_forbidden', data: { status: 403 } }),
      });
      expect(await rejectWith(new ConflictException('The hall is taken.'))).toEqual({
        status: 409,
        body: { code: 'rest_conflict', message: 'The hall is taken.', data: { status: 409 } },
      });
      expect(await rejectWith(new ServiceUnavailableException('secret'))).toEqual({
        status: 503,
        body: {
          code: 'service_unavailable',
          message: 'The service is temporarily unavailable.',
          data: { status: 503 },
        },
      });
      expect(await rejectWith(new Error('secret'))).toMatchObject({ status: 500 });
      expect(await contents()).toEqual(untouched);
    }
  });

  it('that fail leave their error in the log', async () => {
    const log = service.app.get(Log);
    const original = log.error.bind(log);
    const logged: unknown[] = [];
    log.error = (entry) => void logged.push(entry);
    before = () => {
      throw new TypeError('a mistake of the module');
    };
    const { status, body } = await send('POST', '/events', E);
    log.error = original;
    expect([status, body.message]).toEqual([500, 'An unexpected error occurred.']);
    expect(logged).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ message: 'a mistake of the module' }) as unknown }),
    ]);
  });

  it('that never end get 503 at the deadline, and the next write gets the connection', async () => {
    @EventWriteHook()
    class Endless implements EventHook {
      beforeWrite({ after: row }: EventWrite): Promise<void> | void {
        if (row?.title === 'Endless') return new Promise(() => undefined);
      }
    }
    @Module({ providers: [Endless] })
    class EndlessModule {}
    const own = await startOwnApp({ DATABASE_WRITE_TIMEOUT: '1' }, { modules: [EndlessModule] });
    const { client, tokens } = own;
    const endless = client.post('/events', { ...E, title: 'Endless' }, tokens.adm);
    expect((await endless).status).toBe(503);
    expect((await client.post('/events', { ...E, title: 'Next' }, tokens.adm)).status).toBe(201);
    expect((await client.get('/events')).body.events).toMatchObject([{ title: 'Next' }]);
    await own.close();
  });

  it('are called again if the transaction is repeated, and their additions are stored once', async () => {
    let attempts = 0;
    after = () => {
      if ((attempts += 1) > 1) return;
      throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY', errno: 1213 });
    };
    const { id } = await event(service.client, adm, { title: 'Repeated' });
    expect([attempts, await bookings(id)]).toEqual([2, ['create Repeated']]);
  });

  it('are not called by a replay, and a rejected write leaves its key free', async () => {
    const post = () =>
      service.client.send('/events', {
        method: 'POST',
        token: adm,
        body: { ...E, title: 'Keyed' },
        headers: { 'idempotency-key': 'hooked' },
      });
    before = () => {
      throw apiError('rest_forbidden');
    };
    expect((await post()).status).toBe(403);
    before = () => undefined;
    const first = await post();
    expect([first.status, calls.length]).toEqual([201, 3]);
    const replayed = await post();
    expect([replayed.headers['idempotent-replayed'], replayed.text]).toEqual(['true', first.text]);
    expect([calls.length, await bookings(first.body.id as number)]).toEqual([3, ['create Keyed']]);
  });

  it('are called for each line of an import, and a line that they reject is reported', async () => {
    before = ({ after: row }) => {
      if (row?.title === 'Line 2') throw new ConflictException('The hall is taken.');
    };
    const context = await service.app.get(CommandContext).read();
    const lines = [1, 2, 3].map((number) => ({
      number,
      bytes: Buffer.from(JSON.stringify({ ...E, title: `Line ${number}` })),
    }));
    const result = await service.app.get(EventImporter).run(lines, context, false);
    expect(result).toMatchObject({ added: 2, rejected: [{ line: 2, field: '', reason: 'The hall is taken.' }] });
    const imported = await query<{ title: string }>("SELECT title FROM bookings WHERE title LIKE 'Line %'");
    expect(imported.map(({ title }) => title).sort()).toEqual(['Line 1', 'Line 3']);
    expect(calls.filter((call) => call.startsWith('before'))).not.toEqual([]);
  });

  it('are called for the children of a deleted event, which they can keep from it', async () => {
    const { client } = service;
    const parent = (await event(client, adm, { title: 'Parent' })).id as number;
    const child = (await event(client, adm, { title: 'Child', post_parent: parent })).id as number;
    calls = [];
    before = ({ kind }) => {
      if (kind === 'update') throw apiError('rest_forbidden');
    };
    expect((await client.delete(`/events/${parent}?force=true`, adm)).status).toBe(403);
    expect((await client.get(`/events/${child}`)).body.post_parent).toBe(parent);
    before = () => undefined;
    calls = [];
    writes = [];
    expect((await client.delete(`/events/${parent}?force=true`, adm)).status).toBe(200);
    expect(calls).toEqual([
      `before delete ${parent} gone`,
      `before update ${child} publish`,
      `after update ${child} publish`,
      `after delete ${parent} gone`,
    ]);
    expect(writes[1]).toMatchObject({ before: { post_parent: parent }, after: { post_parent: 0 } });
  });

  it('are called by purge, which keeps what they reject', async () => {
    const ids: number[] = [];
    for (const title of ['Kept', 'Purged']) {
      const { id } = await event(service.client, adm, { title });
      await service.client.delete(`/events/${id}`, adm);
      ids.push(id as number);
    }
    before = ({ before: row }) => {
      if (row?.title !== 'Purged') throw new ConflictException();
    };
    const context = await service.app.get(CommandContext).read();
    expect(await service.app.get(ExpiredTrash).remove('events', '2027-01-01 00:00:00', context)).toBe(1);
    const rows = await query<{ id: number }>(`SELECT id FROM ${TABLES.events} WHERE id IN (?, ?)`, ids);
    expect(rows).toEqual([{ id: ids[0] }]);
  });

  it('are not called when a scheduled event is stored as published', async () => {
    const { id } = await event(service.client, adm, { date: '2026-11-21 12:00:00' });
    calls = [];
    service.setNow('2026-11-22T12:00:00Z');
    await service.app.get(ScheduledPublisher).publishDue();
    const [row] = await query<{ status: string }>(`SELECT status FROM ${TABLES.events} WHERE id = ?`, [id]);
    expect([row?.status, calls]).toEqual(['publish', []]);
  });

  it('must have the default scope, or the service does not start', async () => {
    @Injectable({ scope: Scope.REQUEST })
    @EventWriteHook()
    class OfRequest implements EventHook {}
    @Module({ providers: [OfRequest] })
    class OfRequestModule {}
    const started = startOwnApp({}, { modules: [OfRequestModule] }).then((own) => own.close());
    await expect(started).rejects.toThrow('OfRequest must have the default scope');
  });
});
