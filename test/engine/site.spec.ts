import { startApp, type TestApp } from '../support/app.js';
import { category, event, organizer, venue } from '../support/factories.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const write = (title: string, start: string, end: string, fields: object = {}) =>
  event(service.client, service.tokens.edi, { title, start_date: start, end_date: end, ...fields });

test('PAGE-08, PAGE-16, PAGE-31: the calendar begins and ends with public events that are not hidden', async () => {
  const { client } = service;
  await write('Draft', '2020-01-01 10:00', '2020-01-01 11:00', { status: 'draft' });
  await write('Hidden', '2020-01-01 10:00', '2020-01-01 11:00', { hide_from_listings: true });
  expect(textOf(await visit(client, '/'))).toContain('This calendar is empty');
  await write('October', '2026-10-05 10:00', '2026-10-05 11:00');
  await write('Running', '2026-11-10 10:00', '2026-11-25 11:00');
  await write('One', '2026-12-24 10:00', '2026-12-24 11:00');
  await write('Two', '2026-12-24 10:00', '2026-12-24 12:00');
  await write('Three', '2027-01-02 10:00', '2027-01-02 11:00');
  expect(titlesOf(await visit(client, '/'))).toEqual(['Running', 'One', 'Two', 'Three']);
  const months = async (month: string) =>
    addressesOf(await visit(client, `/events/month/${month}/`)).filter((href) =>
      /^\/events\/month\/(?!2026-11|$)/.test(href),
    );
  expect(await months('2026-10')).toEqual([]);
  expect(await months('2026-11')).toEqual(['/events/month/2026-10/', '/events/month/2026-12/']);
  expect(await months('2027-01')).toEqual(['/events/month/2026-12/']);
});

test('PAGE-18, PAGE-21: the neighbours of days and events are those of the list, also at the same time', async () => {
  const { client } = service;
  const beside = async (path: string) =>
    [...(await visit(client, path)).text.matchAll(/<a href="([^"]*)" rel="(?:prev|next)"/g)].map(([, href]) => href);
  expect(await beside('/event/one/')).toEqual(['/event/running/', '/event/two/']);
  expect(await beside('/event/two/')).toEqual(['/event/one/', '/event/three/']);
  expect(await beside('/event/three/')).toEqual(['/event/two/']);
  expect(await beside('/event/october/')).toEqual(['/event/running/']);
  expect(await beside('/events/day/2026-12-01/')).toEqual(['/events/day/2026-11-25/', '/events/day/2026-12-24/']);
  expect(await beside('/events/day/2026-11-12/')).toEqual(['/events/day/2026-11-11/', '/events/day/2026-11-13/']);
});

test('PAGE-08: the small month shows the days with events', async () => {
  const days = addressesOf(await visit(service.client, '/')).filter((href) => href.startsWith('/events/day/'));
  expect(days).toHaveLength(16);
  expect([days[0], days.at(-1)]).toEqual(['/events/day/2026-11-10/', '/events/day/2026-11-25/']);
});

test('PAGE-33: a page is new after a commit, and when a scheduled event becomes public', async () => {
  const { client, tokens } = service;
  const { id } = await write('Soon', '2026-12-01 10:00', '2026-12-01 11:00', { date: '2026-11-20 10:00' });
  expect(titlesOf(await visit(client, '/'))).not.toContain('Soon');
  service.setNow('2026-11-20T10:00:00Z');
  expect(titlesOf(await visit(client, '/'))).toContain('Soon');
  await client.put(`/events/${id}`, { title: 'Sooner' }, tokens.edi);
  expect(titlesOf(await visit(client, '/'))).toContain('Sooner');
});

test('PAGE-33: the ETag of a page changes with each record that it shows, and with no other', async () => {
  const { client, tokens } = service;
  const place = await venue(client, tokens.edi, { venue: 'Old Hall', city: 'Lyon' });
  const people = await organizer(client, tokens.edi, { organizer: 'Ann' });
  const { id } = await write('Shown', '2026-11-23 10:00', '2026-11-23 11:00', {
    venue: place.id,
    organizer: people.id,
  });
  const paths = ['/', '/events/month/2026-11/', '/event/shown/', '/venue/old-hall/', '/events.atom'];
  const tagsOf = async () => {
    const tags: Record<string, string | undefined> = {};
    for (const path of paths) tags[path] = (await visit(client, path)).headers.etag;
    return tags;
  };
  /** Returns the pages whose ETag a write changes. Asks twice, so that a tag that always differs fails. */
  const changedBy = async (work: () => Promise<unknown>) => {
    const before = await tagsOf();
    expect(await tagsOf()).toEqual(before);
    await work();
    const after = await tagsOf();
    return paths.filter((path) => after[path] !== before[path]);
  };
  const put = (path: string, fields: object) => client.put(path, fields, tokens.adm);
  const music = await category(client, tokens.adm, { name: 'Music' });
  expect(await changedBy(() => put(`/events/${id}`, { title: 'Shown again' }))).toEqual(paths);
  expect(await changedBy(() => put(`/venues/${place.id}`, { venue: 'New Hall' }))).toEqual(paths);
  // The event has it in its linked data.
  expect(await changedBy(() => put(`/venues/${place.id}`, { phone: '1 23' }))).toEqual([
    '/event/shown/',
    '/venue/old-hall/',
  ]);
  expect(await changedBy(() => put(`/organizers/${people.id}`, { organizer: 'Bob' }))).toEqual(['/event/shown/']);
  expect(await changedBy(() => put(`/events/${id}`, { categories: ['Music'] }))).toEqual(paths);
  expect(await changedBy(() => put(`/categories/${music.id}`, { name: 'Sounds' }))).toEqual(paths);
  expect(await changedBy(() => write('Draft', '2026-11-24 10:00', '2026-11-24 11:00', { status: 'draft' }))).toEqual(
    [],
  );
  expect(await changedBy(() => Promise.resolve(service.setNow('2026-11-21T00:00:00Z')))).toContain('/');
});
