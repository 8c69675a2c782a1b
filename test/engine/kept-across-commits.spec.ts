import { EventFragments } from '../../src/events/fragments/event-fragments.js';
import { startBeside } from '../support/app.js';
import type { Client } from '../support/client.js';
import { useApp } from '../support/events.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';

/** Links contain the host. Both instances get the same one, because each has its own port. */
const HOST = { headers: { host: 'localhost' } };
const MAY = { start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 11:00:00' };

const BY_ID = '/events/1';
const SHOWN = [BY_ID, '/events/by-slug/shown'];
const LIST = '/events?categories=music&start_date=2027-05-01';
/** Its first event only, and the total. */
const PAGE = `${LIST}&per_page=1`;
const LISTS = [LIST, PAGE];
const EMPTY = '/events?tags=unused';

describe('a cached response after commits', () => {
  const app = useApp();
  let without: { client: Client; close(): Promise<void> };
  beforeAll(async () => {
    const { client, tokens } = app();
    for (const name of ['Hall', 'Barn']) await venue(client, tokens.adm, { venue: name });
    await organizer(client, tokens.adm, { organizer: 'Ann' });
    for (const name of ['Music', 'Art']) await category(client, tokens.adm, { name });
    for (const name of ['Red', 'Unused']) await tag(client, tokens.adm, { name });
    await event(client, tokens.adm, { ...MAY, title: 'Shown', venue: 1, categories: 'music', tags: 'red' });
    await event(client, tokens.adm, { ...MAY, title: 'Other', venue: 2, categories: 'art' });
    without = await startBeside(app(), { CACHE_ENTRIES: '0' });
    // The first list loads the index.
    await client.get(LIST);
  });
  afterAll(() => without.close());

  /** Returns which of the responses were made anew. Each must be what an instance without a cache sends. */
  async function madeAnew(): Promise<string[]> {
    const made = vi.spyOn(app().app.get(EventFragments), 'texts');
    const anew: string[] = [];
    try {
      for (const path of [...SHOWN, ...LISTS, EMPTY]) {
        made.mockClear();
        const { status, text, headers } = await app().client.send(path, HOST);
        if (made.mock.calls.length > 0) anew.push(path);
        const expected = await without.client.send(path, HOST);
        expect([status, text, headers.etag]).toEqual([expected.status, expected.text, expected.headers.etag]);
        expect(headers['last-modified']).toBe(expected.headers['last-modified']);
      }
    } finally {
      made.mockRestore();
    }
    return anew;
  }

  const write = (path: string, body: object) => () => app().client.post(path, body, app().tokens.adm);

  test.each([
    ['another event gets another title', write('/events/2', { title: 'Others' }), []],
    ['a category is created', write('/categories', { name: 'Dance' }), [...LISTS, EMPTY]],
    ['the event gets another title', write(BY_ID, { title: 'New' }), [...SHOWN, ...LISTS]],
    ['another event enters the list', write('/events/2', { categories: 'music' }), [...SHOWN, ...LISTS]],
    ['an event of the list gets another title', write('/events/2', { title: 'Listed' }), [LIST]],
    ['an event leaves the list', write('/events/2', { start_date: '2027-04-01 10:00:00' }), LISTS],
    ['an earlier event of the category changes', write('/events/2', { title: 'Earlier' }), []],
    [
      'an event with the same tag is created',
      write('/events', { title: 'Red', ...MAY, tags: 'red' }),
      [...SHOWN, ...LISTS],
    ],
    ['the venue gets another name', write('/venues/1', { venue: 'Halls' }), [...SHOWN, ...LISTS, EMPTY]],
    ['another venue gets another name', write('/venues/2', { venue: 'Barns' }), [...LISTS, EMPTY]],
    ['an event with the unused tag is created', write('/events', { title: 'First', ...MAY, tags: 'unused' }), [EMPTY]],
    [
      'the venue goes to the trash',
      () => app().client.delete('/venues/1', app().tokens.adm),
      [...SHOWN, ...LISTS, EMPTY],
    ],
    ['the event is a draft', write(BY_ID, { status: 'draft' }), LISTS],
    ['the event is public again', write(BY_ID, { status: 'publish' }), [...SHOWN, ...LISTS]],
    ['an event is scheduled', write('/events', { title: 'Soon', ...MAY, date_utc: '2026-11-20 12:00:00' }), []],
    ['it becomes public', () => app().setNow('2026-11-20T12:00:00Z'), []],
    ['the clock is set back', () => app().setNow('2026-11-20T11:00:00Z'), []],
    ['the clock is set back before all responses', () => app().setNow('2026-11-20T08:00:00Z'), [...LISTS, EMPTY]],
  ])('%s', async (_, change, expected) => {
    await madeAnew();
    await Promise.resolve(change());
    expect(await madeAnew()).toEqual(expected);
    expect(await madeAnew()).toEqual([]);
  });
});
