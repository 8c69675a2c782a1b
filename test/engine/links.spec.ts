import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/connection/transaction.js';
import { EventDto } from '../../src/events/event.dto.js';
import { EventsService } from '../../src/events/events.service.js';
import { callerWith } from '../../src/kernel/caller.js';
import { SiteSettings } from '../../src/config/site-settings.js';
import { readInput } from '../../src/platform/http/fields/input.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { Urls } from '../../src/platform/http/base-url.js';
import { useApp } from '../support/events.js';
import { E, event } from '../support/factories.js';

const app = useApp();

/** A create in its two steps, so that a test can change the database between them. */
function steps(body: object) {
  const { app: nest, userIds } = app();
  const site = nest.get(SiteSettings);
  const root = { origin: 'http://localhost', mount: '', language: 'en', isCacheable: false };
  const context: RequestContext = {
    caller: callerWith(userIds.adm, 'administrator'),
    nowUtc: '2026-11-20 08:39:00',
    site,
    urls: new Urls(root, site),
    fields: [],
    clientAddress: '',
  };
  const events = nest.get(EventsService);
  return {
    check: async () => {
      const input = readInput(EventDto, 'create', { ...E, ...body });
      return events.draft(input, await events.findReferences([input], context), context);
    },
    write: (draft: Awaited<ReturnType<EventsService['draft']>>) =>
      nest.get(Database).inTransaction((tx) => events.insert(tx, [draft], context)),
  };
}

describe('a record deleted for good between the validation and the write of an event', () => {
  it.each([
    ['categories', 'categories', { name: 'A' }, (id: number) => ({ categories: [id] })],
    ['tags', 'tags', { name: 'A' }, (id: number) => ({ tags: [id] })],
    ['venues', 'venue', { venue: 'A' }, (id: number) => ({ venue: [id, { venue: 'New' }] })],
    ['organizers', 'organizer', { organizer: 'A' }, (id: number) => ({ organizer: id })],
  ])('%s: the write is rejected and stores nothing', async (collection, field, record, body) => {
    const { client, tokens } = app();
    const { body: made } = await client.post(`/${collection}`, record, tokens.adm);
    const id = made.id as number;
    const { check, write } = steps(body(id));
    const draft = await check();
    expect((await client.delete(`/${collection}/${id}?force=true`, tokens.adm)).status).toBe(200);
    await expect(write(draft)).rejects.toMatchObject({
      code: 'rest_invalid_param',
      extras: { data: { params: { [field]: `${field} refers to something that does not exist: ${id}.` } } },
    });
    for (const path of [
      '/events',
      '/venues',
      '/organizers',
      '/categories?hide_empty=false',
      '/tags?hide_empty=false',
    ]) {
      expect([path, (await client.get(path)).body.total]).toEqual([path, 0]);
    }
  });

  it('a concurrent deletion leaves no link without its record', async () => {
    const { client, tokens, app: nest } = app();
    const { body: made } = await client.post('/tags', { name: 'B' }, tokens.adm);
    const { check, write } = steps({ tags: [made.id] });
    const draft = await check();
    await Promise.all([write(draft), client.delete(`/tags/${made.id}`, tokens.adm)]).catch(() => undefined);
    const orphans = await nest
      .get(Database)
      .query('SELECT l.term_id FROM event_terms l LEFT JOIN terms t ON t.id = l.term_id WHERE t.id IS NULL');
    expect(orphans).toEqual([]);
  });
});

describe('the name locks of event writes', () => {
  const held: string[] = [];
  const databaseOf = () => app().app.get(Database);
  beforeAll(() => {
    const database = databaseOf();
    const inTransaction = database.inTransaction.bind(database);
    const noting = (tx: Transaction) => (names: readonly string[]) => {
      held.push(...names);
      return tx.lockNames(names);
    };
    const value = (work: (tx: Transaction) => Promise<unknown>) =>
      inTransaction((tx) => work(Object.create(tx, { lockNames: { value: noting(tx) } }) as Transaction));
    Object.defineProperty(database, 'inTransaction', { value, configurable: true });
  });
  afterAll(() => Reflect.deleteProperty(databaseOf(), 'inTransaction'));

  it('are taken in one order by creates and updates, so that no deadlock occurs', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm);
    const parent = await event(client, tokens.adm);
    const links = (tag: string) => ({ post_parent: parent.id, tags: [tag], venue: { venue: 'Held' } });
    held.length = 0;
    expect((await client.post('/events', { ...E, ...links('New') }, tokens.adm)).status).toBe(201);
    // A write may request a lock again that it already holds.
    const byCreate = [...new Set(held.splice(0))];
    expect((await client.put(`/events/${id}`, links('Newer'), tokens.adm)).status).toBe(200);
    expect(byCreate).toHaveLength(3);
    expect([...new Set(held)]).toEqual(byCreate);
  });
});
