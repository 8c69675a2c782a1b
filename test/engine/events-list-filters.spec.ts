import { Injectable, Module } from '@nestjs/common';
import { Clock } from '../../src/config/clock.js';
import { Database } from '../../src/database/database.js';
import type { Sql } from '../../src/database/sql/dialect.js';
import { type EventCondition, EventListFilter } from '../../src/events/hooks/list-filter.js';
import { condition, isOneOf, type SqlCondition } from '../../src/kernel/sql-condition.js';
import { addSeconds } from '../../src/kernel/time/calendar-arithmetic.js';
import { IdList } from '../../src/platform/http/fields/list-fields.js';
import { Choice, Flag, Int } from '../../src/platform/http/fields/value-fields.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { NOW, startOwnApp, type TestApp } from '../support/app.js';
import { expectRefused, follow, titlesOf } from '../support/events.js';
import { event } from '../support/factories.js';
import { recordStatements } from '../support/statements.js';

const STABLE = { usesClock: false, hiddenBehindPassword: false };

/** A filter by a table of the module. Only users know that there are rooms above 9. */
@EventListFilter({ name: 'room', field: IdList('events in any of these rooms', { min: 1, example: [3] }), ...STABLE })
class RoomFilter implements EventCondition<number[]> {
  condition(ids: number[]): SqlCondition {
    const { sql, params } = isOneOf('room_id', ids);
    return { sql: `e.id IN (SELECT event_id FROM booked_rooms WHERE ${sql})`, params };
  }

  findUnknown(ids: number[], _sql: Sql, { caller }: RequestContext): Promise<number[]> {
    return Promise.resolve(caller.userId === 0 ? ids.filter((id) => id > 9) : []);
  }
}

/** A filter by a member that a password hides. */
@EventListFilter({
  name: 'has_website',
  field: Flag('events with a website, or without'),
  usesClock: false,
  hiddenBehindPassword: true,
})
class WebsiteFilter implements EventCondition<boolean> {
  condition(isWanted: boolean): SqlCondition {
    return condition(isWanted ? "e.website <> ''" : "e.website = ''");
  }
}

/** A filter whose result changes with time, read by a service of the module. */
@Injectable()
@EventListFilter({
  name: 'starts_within',
  field: Int('events that start within these minutes', { min: 1 }),
  usesClock: true,
  hiddenBehindPassword: false,
})
class SoonFilter implements EventCondition<number> {
  constructor(private readonly clock: Clock) {}

  condition(minutes: number): SqlCondition {
    const now = this.clock.now();
    return condition('e.start_utc > ? AND e.start_utc <= ?', now, addSeconds(now, minutes * 60));
  }
}

/** A filter that uses OR, and that may exclude nothing. */
@EventListFilter({ name: 'size', field: Choice('by size', { words: ['any', 'all', 'none'] }), ...STABLE })
class SizeFilter implements EventCondition<string> {
  condition(size: string): SqlCondition | undefined {
    if (size === 'any') return undefined;
    return size === 'all' ? condition("e.title = '' OR 1 = 1") : condition('1 = 0');
  }
}

@Module({ providers: [RoomFilter, WebsiteFilter, SoonFilter, SizeFilter] })
class FiltersModule {}

let service: TestApp;
let adm: string;

beforeAll(async () => {
  service = await startOwnApp({ SEARCH_INDEX_FROM: '1', CACHE_ENTRIES: '10000' }, { modules: [FiltersModule] });
  adm = service.tokens.adm;
  await service.app
    .get(Database)
    .inTransaction((tx) =>
      tx.execute('CREATE TABLE booked_rooms (event_id INTEGER NOT NULL, room_id INTEGER NOT NULL)'),
    );
});
afterEach(() => service.setNow(NOW));
afterAll(() => service.close());

/** Books a room as the service of the module would: with a change of its own in the change record. */
const book = (event_id: number, room_id: number) =>
  service.app.get(Database).inTransaction(async (tx) => {
    await tx.insertMany('booked_rooms', [{ event_id, room_id }]);
    tx.recordChange('room.created', room_id, 0);
  });
/** Links name the host, which must be a known one for answers to be cached. */
const list = (query: string, token?: string) =>
  service.client.send(`/events?${query}`, { token, headers: { host: 'localhost' } });
const titles = async (query: string, token?: string) => titlesOf(await list(query, token));

describe('a filter of a module', () => {
  it('finds the events of its condition, with total and links', async () => {
    const ids: number[] = [];
    for (const title of ['A', 'B', 'C']) ids.push((await event(service.client, adm, { title })).id as number);
    for (const id of ids.slice(0, 2)) await book(id, 3);
    const reply = await list('room=3,4&per_page=1&orderby=title');
    const { body } = reply;
    expect([titlesOf(reply), body.total, body.total_pages]).toEqual([['A'], 2, 2]);
    expect(new URL(body.rest_url as string).searchParams.get('room')).toBe('3,4');
    expect(titlesOf(await follow(service, body.next_rest_url as string))).toEqual(['B']);
    expect(await titles('room=4')).toEqual([]);
    expect(await titles('room[]=3&search=b')).toEqual(['B']);
  });

  it('is in the OpenAPI document, in the index and in OPTIONS, and in those of no other service', async () => {
    const described = async (one: TestApp) => {
      const { body: document } = await one.client.get('/doc');
      const { body: index } = await one.client.get('/');
      const { body: options } = await one.client.send('/events', { method: 'OPTIONS' });
      const { parameters } = document.paths['/events'].get as { parameters: { name: string }[] };
      return [
        parameters.find(({ name }) => name === 'room'),
        index.routes['/calendar/events/v1/events'].endpoints[0].args.room as unknown,
        options.endpoints[0].args.room as unknown,
      ];
    };
    const argument = {
      description: 'events in any of these rooms',
      type: 'array',
      items: { type: 'integer' },
      required: false,
    };
    expect(await described(service)).toEqual([
      {
        name: 'room',
        in: 'query',
        required: false,
        description: 'events in any of these rooms',
        schema: { type: 'array', items: { type: 'integer' }, example: [3] },
        style: 'form',
        explode: false,
      },
      argument,
      argument,
    ]);
    const other = await startOwnApp();
    expect(await described(other)).toEqual([undefined, undefined, undefined]);
    expect((await other.client.get('/events?room=x')).status).toBe(200);
    await other.close();
  });

  it('rejects a wrong or unknown value together with all other problems', async () => {
    expectRefused(await list('room=x&featured=maybe'), {
      featured: 'rest_invalid_type',
      room: 'rest_invalid_type',
    });
    const unknown = await list('room=3,12&venue=999');
    expectRefused(unknown, { venue: 'rest_unknown_reference', room: 'rest_unknown_reference' });
    expect(unknown.body.data.params.room).toBe('room refers to something that does not exist: 12.');
    expect((await list('room=12', adm)).status).toBe(200);
    expectRefused(await list('size=huge'), { size: 'rest_not_in_enum' });
    expectRefused(await list('room='), { room: 'rest_empty' });
  });

  it('does not find protected events by what their password hides', async () => {
    const { client, tokens } = service;
    const { id } = await event(client, adm, { title: 'Hush', website: 'https://hush.example/' });
    await client.put(`/events/${id}`, { password: 'secret' }, adm);
    for (const wanted of [true, false]) {
      const query = `include=${id}&has_website=${wanted}`;
      expect(await titles(query)).toEqual([]);
      expect(await titles(query, tokens.aut)).toEqual([]);
      expect(await titles(query, tokens.edi)).toEqual(wanted ? ['Hush'] : []);
    }
    expect(await titles(`include=${id}`)).toEqual(['Hush']);
    // A filter that reads nothing of the kind finds them.
    await book(id as number, 7);
    expect(await titles('room=7')).toEqual(['Hush']);
  });

  it('cannot weaken the other conditions by an OR', async () => {
    const { id } = await event(service.client, adm, { title: 'Draft', status: 'draft' });
    expect(await titles(`include=${id}&size=all`)).toEqual([]);
    expect(await titles(`include=${id}&size=all`, adm)).toEqual(['Draft']);
    expect((await list('size=none')).body.total).toBe(0);
    const [all, any] = [await list(''), await list('size=any')];
    expect([any.body.total, any.body.rest_url]).toEqual([all.body.total, expect.stringContaining('size=any')]);
  });

  it('counts by SQL, and its cached totals and responses follow each commit', async () => {
    const ids: number[] = [];
    for (const title of ['D', 'E', 'F', 'G']) ids.push((await event(service.client, adm, { title })).id as number);
    const statements = recordStatements(service);
    for (const [booked, id] of ids.entries()) {
      for (let reads = 0; reads < 3; reads += 1) {
        expect([booked, (await list('room=5')).body.total]).toEqual([booked, booked]);
      }
      await book(id, 5);
    }
    expect(statements.filter(({ sql }) => sql.includes('AS total')).length).toBeGreaterThan(0);
    // A response of one version of the data is cached.
    await list('room=5');
    statements.length = 0;
    expect((await list('room=5')).body.total).toBe(4);
    expect(statements.filter(({ sql }) => sql.includes('booked_rooms'))).toEqual([]);
  });

  it('that uses the clock is not cached', async () => {
    await event(service.client, adm, { title: 'Soon', start_date: '2026-11-20 10:00', end_date: '2026-11-20 11:00' });
    const found = async (now: string) => {
      service.setNow(now);
      const reply = await list('starts_within=60');
      return [reply.body.total, titlesOf(reply)];
    };
    expect(await found('2026-11-20T08:39:00Z')).toEqual([0, []]);
    expect(await found('2026-11-20T09:10:00Z')).toEqual([1, ['Soon']]);
    expect(await found('2026-11-20T10:00:00Z')).toEqual([0, []]);
  });
});

describe('the start of a service ends with an error', () => {
  const condition = () => undefined;
  const startWith = async (...names: string[]) => {
    const providers = names.map((name) => {
      @EventListFilter({ name, field: Flag('another'), ...STABLE })
      class AnotherFilter implements EventCondition {
        condition = condition;
      }
      return AnotherFilter;
    });
    @Module({ providers })
    class AnotherModule {}
    const started = await startOwnApp({}, { modules: [AnotherModule] });
    await started.close();
  };

  it.each(['venue', 'page', '_fields', 'context'])('if a filter has the name %s', async (name) => {
    await expect(startWith(name)).rejects.toThrow(`"${name}"`);
  });

  it('if two filters have one name', async () => {
    const taken = 'There is already a parameter of GET /events with the name "twice".';
    await expect(startWith('twice', 'once', 'twice')).rejects.toThrow(taken);
  });
});

/** The compiler asks for both flags, and for the condition. */
export function mistakes(): void {
  const field = Flag('another');
  // @ts-expect-error -- without usesClock
  EventListFilter({ name: 'a', field, hiddenBehindPassword: true });
  // @ts-expect-error -- without hiddenBehindPassword
  EventListFilter({ name: 'a', field, usesClock: true });
  // @ts-expect-error -- without a condition
  EventListFilter({ name: 'a', field, ...STABLE })(class {});
}
