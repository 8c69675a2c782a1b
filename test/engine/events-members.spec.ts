import { Injectable, Module } from '@nestjs/common';
import { Environment } from '../../src/config/environment.js';
import { previewApp } from '../../src/create-app.js';
import { Database } from '../../src/database/database.js';
import type { Sql } from '../../src/database/sql/dialect.js';
import { openApiCommand } from '../../src/docs/openapi.command.js';
import { EventMember, type EventMemberValues } from '../../src/events/hooks/member.js';
import { isOneOf } from '../../src/kernel/sql-condition.js';
import type { MemberSchema } from '../../src/platform/http/operation.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { E, event } from '../support/factories.js';
import { recordStatements } from '../support/statements.js';
import { told } from '../support/told.js';

const ROOMS: MemberSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'the names of the rooms',
  example: ['Blue'],
};

/** A member from a table of the module. */
@Injectable()
@EventMember({ name: 'rooms', schema: ROOMS })
class RoomsMember implements EventMemberValues<string[]> {
  async valuesFor(ids: readonly number[], sql: Sql): Promise<Map<number, string[]>> {
    const { sql: where, params } = isOneOf('event_id', ids);
    const rows = await sql.query<{ event_id: number; name: string }>(
      `SELECT event_id, name FROM event_rooms WHERE ${where} ORDER BY name`,
      params,
    );
    const names = new Map<number, string[]>();
    for (const { event_id, name } of rows) names.set(event_id, [...(names.get(event_id) ?? []), name]);
    return names;
  }
}

/** A member that depends on the caller, and that gives values nobody asked for. */
@EventMember({ name: 'is_yours', schema: { type: 'boolean', description: 'whether you may edit it', example: true } })
class YoursMember implements EventMemberValues<boolean> {
  valuesFor(_ids: readonly number[], _sql: Sql, { caller }: RequestContext): Promise<Map<number, boolean>> {
    return Promise.resolve(new Map(Array.from({ length: 100 }, (_, id) => [id, caller.userId !== 0])));
  }
}

@Module({ providers: [RoomsMember, YoursMember] })
class MembersModule {}

let service: TestApp;
let adm: string;

beforeAll(async () => {
  service = await startOwnApp({ CACHE_ENTRIES: '10000' }, { modules: [MembersModule] });
  adm = service.tokens.adm;
  await service.app
    .get(Database)
    .inTransaction((tx) =>
      tx.execute('CREATE TABLE event_rooms (event_id INTEGER NOT NULL, name VARCHAR(20) NOT NULL)'),
    );
});
afterAll(() => service.close());

/** Gives an event a room as the service of the module would. */
const addRoom = (event_id: number, name: string) =>
  service.app.get(Database).inTransaction(async (tx) => {
    await tx.insertMany('event_rooms', [{ event_id, name }]);
    tx.recordChange('room.added', event_id, 0);
  });
/** Links name the host, which must be a known one for answers to be cached. */
const get = (path: string, headers: Record<string, string> = {}) =>
  service.client.send(path, { headers: { host: 'localhost', ...headers } });
const roomsIn = ({ body }: Reply) =>
  Object.fromEntries((body.events as { title: string; rooms: unknown }[]).map(({ title, rooms }) => [title, rooms]));

describe('a member of a module', () => {
  it('is in lists, in single events and in the responses of writes', async () => {
    const { client } = service;
    const made = await event(client, adm, { title: 'Made' });
    expect([made.rooms, made.is_yours]).toEqual([null, true]);
    await addRoom(made.id as number, 'Red');
    await addRoom(made.id as number, 'Blue');
    await event(client, adm, { title: 'Other' });
    expect(roomsIn(await get('/events'))).toMatchObject({ Made: ['Blue', 'Red'], Other: null });
    const { body } = await get(`/events/${made.id}`);
    expect([body.rooms, body.is_yours, Object.keys(body as object).at(-1)]).toEqual([
      ['Blue', 'Red'],
      false,
      'is_yours',
    ]);
    expect((await get(`/events/by-slug/made?_fields=rooms`)).body).toEqual({ rooms: ['Blue', 'Red'] });
    expect((await client.put(`/events/${made.id}`, { title: 'Made anew' }, adm)).body.rooms).toEqual(['Blue', 'Red']);
    expect((await client.delete(`/events/${made.id}`, adm)).body.rooms).toEqual(['Blue', 'Red']);
    const { body: gone } = await client.delete(`/events/${made.id}?force=true`, adm);
    expect(gone.previous.rooms).toEqual(['Blue', 'Red']);
  });

  it('takes one query for all events of a page', async () => {
    for (let n = 0; n < 5; n += 1) await event(service.client, adm, { title: `Many ${n}` });
    const statements = recordStatements(service);
    const { body } = await service.client.get('/events?search=many', adm);
    expect(body.total).toBe(5);
    expect(statements.filter(({ sql }) => sql.includes('event_rooms'))).toHaveLength(1);
  });

  it('is null in lists for events whose password hides their members', async () => {
    const { client, tokens } = service;
    const { id } = await event(client, adm, { title: 'Hush' });
    await addRoom(id as number, 'Secret');
    await client.put(`/events/${id}`, { password: 'secret' }, adm);
    const open = (await event(client, adm, { title: 'Open' })).id as number;
    const shown = async (token?: string) => {
      const { body } = await client.get(`/events?include=${id},${open}&orderby=id`, token);
      return (body.events as { rooms: unknown; is_yours: unknown }[]).map(({ rooms, is_yours }) => [rooms, is_yours]);
    };
    const NOTHING = [null, null];
    expect(await shown()).toEqual([NOTHING, [null, false]]);
    expect(await shown(tokens.aut)).toEqual([NOTHING, [null, true]]);
    expect(await shown(tokens.edi)).toEqual([
      [['Secret'], true],
      [null, true],
    ]);
    expect((await get(`/events/${id}?password=secret`)).body.rooms).toEqual(['Secret']);
    expect((await get(`/events/${id}`)).status).toBe(403);
  });

  it('changes the ETag with its data, at once, without Last-Modified', async () => {
    const { id, modified } = await event(service.client, adm, { title: 'Tagged' });
    const path = `/events/${id}`;
    const before = await get(path);
    expect((await get(path, { 'if-none-match': before.headers.etag! })).status).toBe(304);
    await addRoom(id as number, 'Green');
    const after = await get(path, { 'if-none-match': before.headers.etag! });
    expect([after.status, after.body.rooms, after.body.modified]).toEqual([200, ['Green'], modified]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(roomsIn(await get('/events'))).toMatchObject({ Tagged: ['Green'] });
    expect([before.headers['last-modified'], after.headers['last-modified']]).toEqual([undefined, undefined]);
    // The event itself has not changed: a client may write on what it has read of it.
    const write = {
      method: 'PUT',
      token: adm,
      body: { title: 'Tagged' },
      headers: { 'if-match': before.headers.etag! },
    };
    expect((await service.client.send(path, write)).status).toBe(200);
  });

  it('can be sent back without being reported as ignored', async () => {
    const { client } = service;
    const { id } = await event(client, adm, { title: 'Sent back' });
    const { body } = await get(`/events/${id}`);
    const { headers } = await client.put(`/events/${id}`, { ...body, roomss: [] }, adm);
    expect(headers['x-kalends-ignored']).toBe('roomss');
  });

  it('is in the OpenAPI document, and in that of no other service', async () => {
    const schemaOf = async ({ client }: TestApp) => {
      const { body } = await client.get('/doc');
      const { properties, required } = body.components.schemas.Event as { properties: object; required: string[] };
      const sample = body.paths['/events/{id}'].get.responses[200].content['application/json'].example as object;
      return {
        rooms: Reflect.get(properties, 'rooms') as unknown,
        required,
        sample: Reflect.get(sample, 'rooms') as unknown,
      };
    };
    const described = await schemaOf(service);
    expect(described).toMatchObject({ rooms: { ...ROOMS, nullable: true }, sample: ['Blue'] });
    expect(described.required).toEqual(expect.arrayContaining(['rooms', 'is_yours', 'title']));
    const other = await startOwnApp();
    const { required, ...rest } = await schemaOf(other);
    expect([rest, required.includes('rooms')]).toEqual([{}, false]);
    const { body, headers } = await other.client.post('/events', { ...E, rooms: [] }, other.tokens.adm);
    expect([Object.hasOwn(body as object, 'rooms'), headers['x-kalends-ignored']]).toEqual([false, 'rooms']);
    expect((await other.client.get(`/events/${body.id}`)).headers['last-modified']).toBeDefined();
    await other.close();
  });

  it('is in what kalends openapi prints', async () => {
    const preview = () => previewApp({ modules: [MembersModule] });
    const run = (command: (environment: Environment) => Promise<void>) => command(service.app.get(Environment));
    const { stdout } = await told(() => openApiCommand(run, preview).parseAsync([], { from: 'user' }));
    const { components } = JSON.parse(stdout) as { components: { schemas: { Event: { properties: object } } } };
    expect(components.schemas.Event.properties).toMatchObject({ rooms: { ...ROOMS, nullable: true } });
  });
});

describe('the start of a service ends with an error', () => {
  const startWith = async (...names: string[]) => {
    const providers = names.map((name) => {
      @EventMember({ name, schema: { type: 'string', description: 'another' } })
      class AnotherMember implements EventMemberValues {
        valuesFor = () => Promise.resolve(new Map());
      }
      return AnotherMember;
    });
    @Module({ providers })
    class AnotherModule {}
    const started = await startOwnApp({}, { modules: [AnotherModule] });
    await started.close();
  };

  it.each(['venue', 'json_ld', 'password', 'total', 'my.member'])('if a member has the name %s', async (name) => {
    await expect(startWith(name)).rejects.toThrow(`"${name}"`);
  });

  it('if two members have one name', async () => {
    const taken = 'There is already a member of events with the name "twice".';
    await expect(startWith('twice', 'once', 'twice')).rejects.toThrow(taken);
  });
});
