import { Database } from '../../src/database/database.js';
import type { EventRow } from '../../src/events/event.entity.js';
import { EventDto } from '../../src/events/event.dto.js';
import { EventParams } from '../../src/events/event.params.js';
import { ScheduledPublisher } from '../../src/events/write/scheduled-publisher.js';
import { fieldsOf } from '../../src/platform/http/fields/field-metadata.js';
import { CommandContext } from '../../src/platform/http/command-context.js';
import { EventImporter } from '../../src/transfer/batch/event-importer.js';
import { CheckCommand } from '../../src/upkeep/check.command.js';
import { NOW, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { category, E, event, organizer, tag, venue } from '../support/factories.js';
import { useIndexedServices } from '../support/indexed-services.js';
import { Random } from '../support/random.js';
import { insertEvents } from '../support/rows.js';
import { recordStatements } from '../support/statements.js';
import { told } from '../support/told.js';

type Service = Pick<TestApp, 'app' | 'client'>;

const { app, other, without, expectNoDifferences } = useIndexedServices();

const STATUSES = ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash'];
const DATES = ['2026-01-01', '2026-11-20 09:00', '2026-11-21', '2026-12-24', '2027-05-01'];
const STARTS = ['2020-02-02 10:00', '2026-11-19 23:00', '2026-11-21 10:00', '2026-11-21 10:00', '2027-03-10 10:00'];
const LENGTHS = [0, 2, 30, 24 * 400];
const MOMENTS = [
  NOW,
  '2026-11-20T09:00:00Z',
  '2026-11-22T00:00:00Z',
  '2026-11-20T08:59:59Z',
  '2027-06-01T00:00:00Z',
  NOW,
];

/** Ids of records that exist or once did. */
interface Known {
  readonly events: number[];
  readonly venues: number[];
  readonly organizers: number[];
  readonly categories: number[];
  readonly tags: number[];
}

function some(random: Random, ids: readonly number[]): number[] {
  return ids.filter(() => random.chance(0.35));
}

function fields(random: Random, known: Known): Record<string, unknown> {
  const start = random.pick(STARTS);
  const end = new Date(Date.parse(`${start}Z`) + random.pick(LENGTHS) * 3_600_000).toISOString().slice(0, 19);
  const maybe = (name: string, value: unknown) => (random.chance(0.5) ? { [name]: value } : {});
  return {
    ...(random.chance(0.5) ? { start_date: start, end_date: end } : {}),
    ...maybe('venue', some(random, known.venues)),
    ...maybe('organizer', some(random, known.organizers)),
    ...maybe('categories', some(random, known.categories)),
    ...maybe('tags', some(random, known.tags)),
    ...maybe('status', random.pick(STATUSES)),
    ...maybe('date', random.pick(DATES)),
    ...maybe('featured', random.chance(0.5)),
    ...maybe('ticketed', random.chance(0.5)),
    ...(random.chance(0.2) ? { hide_from_listings: random.chance(0.7) } : {}),
    ...(random.chance(0.2) ? { password: random.pick(['', 'secret']) } : {}),
    ...(random.chance(0.2) ? { post_parent: random.pick([0, ...known.events]) } : {}),
  };
}

/** These tests send many requests, and machines are busy. */
const PATIENCE_MS = 240_000;

/** How many writes there are between two looks. Nightly there are more. */
const WRITES_PER_LOOK = Number(process.env.INDEX_WRITES ?? 6);
/** How many of the lists are compared at a time, about. */
const LISTS_PER_LOOK = WRITES_PER_LOOK / 2;

/** The lists that are compared: each filter that the index knows, some together, orders and pages. */
function paths(random: Random, known: Known): string[] {
  const one = (ids: readonly number[]) => (ids.length === 0 ? 1 : random.pick(ids));
  const filters = [
    '',
    `categories=${one(known.categories)}`,
    `tags=${one(known.tags)}`,
    `venue=${one(known.venues)}`,
    `organizer=${one(known.organizers)},${one(known.organizers)}`,
    'featured=true',
    'featured=false',
    'ticketed=true',
    `categories=${one(known.categories)}&tags=${one(known.tags)}`,
    `categories=${one(known.categories)},${one(known.categories)}&featured=true`,
    `include=${known.events.slice(-4).join()}`,
    `post_parent=${one(known.events)}`,
    'post_parent=0&ticketed=false',
    'geoloc=false',
    'search=t',
  ];
  const windows = [
    '',
    '',
    'start_date=2019-01-01&end_date=2029-01-01',
    'ends_after=2026-11-20',
    'starts_before=2026-11-21&ends_before=2027-12-01',
    'start_date=2026-11-21+10:00&strict_dates=true',
    'starts_after=2026-11-21+10:00&strict_dates=true',
  ];
  const orders = ['', '', 'order=desc', 'orderby=title', 'orderby=id&order=desc'];
  const pages = ['per_page=50', 'per_page=2', 'per_page=3&page=2', 'page=7&per_page=1'];
  const chosen = filters.filter(() => random.chance(LISTS_PER_LOOK / filters.length));
  return chosen.map(
    (filter) =>
      `/events?${[filter, random.pick(windows), random.pick(orders), random.pick(pages)].filter(Boolean).join('&')}`,
  );
}

function editorial(random: Random, path: string): string {
  const statuses = ['', 'status=any', 'status=draft,publish', 'status=trash', 'status=future', 'status=publish'];
  return [path, random.pick(statuses), random.pick(['', '', 'hide_from_listings=any'])].filter(Boolean).join('&');
}

/** Status and body, without the port of the instance in links. */
const shown = ({ status, body }: Reply) => [
  status,
  JSON.parse(JSON.stringify(body).replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'port')) as unknown,
];

/** Compares some events alone, as `expectSameLists` compares lists. */
async function expectSameEvents(random: Random, known: Known): Promise<void> {
  const { client, tokens } = app();
  for (const id of known.events.filter(() => random.chance(0.4))) {
    const role = random.pick(['sub', 'con', 'aut', 'edi', 'adm'] as const);
    for (const token of [undefined, tokens[role]]) {
      const asked = `/events/${id}`;
      const expected = shown(await without().client.get(asked, token));
      for (const one of [client, other().client])
        expect([asked, role, ...shown(await one.get(asked, token))]).toEqual([asked, role, ...expected]);
    }
  }
}

/** Compares lists of both processes with an index, for each role, with those of the process without. */
async function expectSameLists(random: Random, known: Known): Promise<void> {
  const { client, tokens } = app();
  for (const path of paths(random, known)) {
    const role = random.pick(['sub', 'con', 'aut', 'edi', 'adm'] as const);
    const mayEdit = role !== 'sub';
    for (const [asked, token] of [
      [path, undefined],
      [
        mayEdit ? editorial(random, path).replace(role === 'con' || role === 'aut' ? /&hide.*/ : /$^/, '') : path,
        tokens[role],
      ],
    ] as const) {
      const expected = shown(await without().client.get(asked, token));
      for (const one of [client, other().client])
        expect([asked, role, ...shown(await one.get(asked, token))]).toEqual([asked, role, ...expected]);
    }
  }
}

async function newCalendar(): Promise<Known> {
  const { client, tokens } = app();
  const id = async (made: Promise<Reply['body']>) => (await made).id as number;
  const top = await id(category(client, tokens.adm, { name: `Top ${Math.random()}` }));
  const child = await id(category(client, tokens.adm, { name: 'Child', parent: top }));
  return {
    events: [await id(event(client, tokens.adm))],
    venues: [await id(venue(client, tokens.adm)), await id(venue(client, tokens.adm, { venue: 'Barn' }))],
    organizers: [await id(organizer(client, tokens.adm))],
    categories: [top, child, await id(category(client, tokens.adm, { name: 'Grandchild', parent: child }))],
    tags: [
      await id(tag(client, tokens.adm, { name: `Red ${top}` })),
      await id(tag(client, tokens.adm, { name: `Blue ${top}` })),
    ],
  };
}

/** Writes once at random, by either process. */
async function write(random: Random, known: Known): Promise<void> {
  const { tokens } = app();
  const service: Service = random.chance(0.5) ? app() : other();
  const { client } = service;
  const path = `/events/${random.pick(known.events)}`;
  const role = random.pick(['adm', 'adm', 'edi', 'aut', 'con'] as const);
  const create = async (collection: keyof Known, body: Record<string, unknown>, token: string) => {
    const made = await client.post(`/${collection}`, body, token);
    if (made.status === 201 || made.status === 200) known[collection].push(made.body.id as number);
  };
  const steps: (() => unknown)[] = [
    () => create('events', { ...E, title: `T ${known.events.length}`, ...fields(random, known) }, tokens[role]),
    () => create('events', { ...E, title: `T ${known.events.length}`, ...fields(random, known) }, tokens[role]),
    () => client.post(path, fields(random, known), tokens.adm),
    () => client.post(path, fields(random, known), tokens.adm),
    () => client.post(path, { title: 'Renamed' }, tokens.adm),
    () => client.post(path, { author: app().userIds[role] }, tokens.adm),
    () => client.delete(path, tokens.adm),
    () => client.post(path, { status: 'publish' }, tokens.adm),
    () => client.delete(`${path}?force=true`, tokens.adm),
    () =>
      client.post(
        `/categories/${random.pick(known.categories)}`,
        { parent: random.pick([0, ...known.categories]) },
        tokens.adm,
      ),
    () =>
      create(
        'categories',
        { name: `New ${known.categories.length} ${random.next()}`, parent: random.pick([0, ...known.categories]) },
        tokens.adm,
      ),
    () => random.chance(0.4) && client.delete(`/categories/${random.pick(known.categories)}?force=true`, tokens.adm),
    () => random.chance(0.4) && client.delete(`/tags/${random.pick(known.tags)}?force=true`, tokens.adm),
    () => client.post(`/venues/${random.pick(known.venues)}`, { city: `City ${random.next()}` }, tokens.adm),
    () => client.post(`/organizers/${random.pick(known.organizers)}`, { phone: `${random.next()}` }, tokens.adm),
    () => client.post(`/tags/${random.pick(known.tags)}`, { description: `Tag ${random.next()}` }, tokens.adm),
    () => client.delete(`/venues/${random.pick(known.venues)}?force=${random.chance(0.3)}`, tokens.adm),
    () => create('venues', { venue: `Hall ${known.venues.length} ${random.next()}` }, tokens.adm),
    () => random.chance(0.3) && client.delete(`/organizers/${random.pick(known.organizers)}?force=true`, tokens.adm),
    () => create('organizers', { organizer: `Ann ${known.organizers.length} ${random.next()}` }, tokens.adm),
    () => importBatch(random, service, known),
    () => service.app.get(ScheduledPublisher).publishDue(),
  ];
  await random.pick(steps)();
}

async function importBatch(random: Random, service: Service, known: Known): Promise<void> {
  const context = await service.app.get(CommandContext).read();
  const lines = Array.from({ length: 5 }, (_, n) => ({
    ...E,
    ...fields(random, { ...known, events: [] }),
    external_id: `${random.next()} ${n}`,
    categories: ['Imported'],
  }));
  const batch = lines.map((line, n) => ({ number: n + 1, bytes: Buffer.from(JSON.stringify(line)) }));
  await service.app.get(EventImporter).run(batch, context, false);
  const [{ last } = { last: 1 }] = await app()
    .app.get(Database)
    .query<{ last: number }>('SELECT max(id) AS last FROM events');
  known.events.push(last);
}

describe('the index of events equals the database', () => {
  test.each([1, 2])(
    'after random writes of two processes and clocks that move both ways, seed %i',
    async (seed) => {
      const random = new Random(seed);
      const known = await newCalendar();
      for (const now of MOMENTS) {
        app().setNow(now);
        await expectSameLists(random, known);
        for (let n = 0; n < WRITES_PER_LOOK; n += 1) await write(random, known);
        await expectSameLists(random, known);
        await expectSameEvents(random, known);
        await expectNoDifferences();
      }
    },
    PATIENCE_MS,
  );

  test(
    'after concurrent writes of two processes',
    async () => {
      const random = new Random(7);
      const known = await newCalendar();
      for (let round = 0; round < 4; round += 1) {
        await Promise.all([
          ...Array.from({ length: 10 }, () => write(random, known)),
          ...Array.from({ length: 10 }, () => random.pick([app(), other()]).client.get('/events?featured=true')),
        ]);
        await expectNoDifferences();
        await expectSameLists(random, known);
        await expectSameEvents(random, known);
      }
    },
    PATIENCE_MS,
  );
});

test('a list filtered by any flag is the same with the index, also by a flag that the index does not know', async () => {
  const { client, tokens } = app();
  const flagsOf = (type: new () => object) => fieldsOf(type).filter((field) => field.type === 'boolean');
  const names = flagsOf(EventDto).map(({ name }) => name);
  const stored = names.filter((name) => name !== 'hide_from_listings');
  const flags = flagsOf(EventParams).map(({ name }) => name);
  expect(flags).toContain('featured');
  for (const value of [true, false])
    await event(client, tokens.adm, Object.fromEntries(stored.map((name) => [name, value])));
  for (const query of flags.flatMap((name) => [`${name}=true`, `${name}=false`])) {
    const path = `/events?${query}&per_page=50`;
    expect([query, ...shown(await client.get(path))]).toEqual([query, ...shown(await without().client.get(path))]);
  }
});

describe('records stay cached across commits', () => {
  const statements = () => recordStatements(app());
  /** The ids of the events and venues whose rows were read. */
  const read = (sent: ReturnType<typeof statements>) =>
    sent.filter(({ sql }) => /\b(e\.excerpt|p\.city)\b/.test(sql)).map(({ params }) => params);

  test('a commit of another process makes lists and single reads read the rows of the changed records only', async () => {
    const { client, tokens } = app();
    const place = await venue(client, tokens.adm, { venue: 'Cached hall' });
    const make = async (title: string) => Number((await event(client, tokens.adm, { title, venue: place.id })).id);
    const [first, second] = [await make('A'), await make('B'), await make('C')];
    const path = `/events?venue=${place.id}`;
    await client.get(path);
    await client.get(`/events/${first}`);
    const sent = statements();
    await other().client.post(`/events/${second}`, { title: 'Changed' }, tokens.adm);
    expect((await client.get(`/events/${first}`)).body.title).toBe('A');
    const titles = async () => (await client.get(path)).body.events.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['A', 'Changed', 'C']);
    expect(read(sent).map((params) => params[0])).toEqual([second]);
    sent.length = 0;
    await other().client.post(`/venues/${place.id}`, { city: 'Moved' }, tokens.adm);
    const { body } = await client.get(path);
    expect(body.events.map((shownEvent: { venue: { city: string } }) => shownEvent.venue.city)).toEqual([
      'Moved',
      'Moved',
      'Moved',
    ]);
    expect(read(sent)).toEqual([[place.id]]);
  });

  test('an event that becomes a draft is gone from lists and single reads at once', async () => {
    const { client, tokens } = app();
    const { id } = await event(client, tokens.adm, { title: 'Soon a draft' });
    const statusOf = async () => (await client.get(`/events/${id}`)).status;
    const listed = async () => (await client.get(`/events?include=${id}`)).body.total as number;
    expect([await statusOf(), await listed()]).toEqual([200, 1]);
    await other().client.post(`/events/${id}`, { status: 'draft' }, tokens.adm);
    expect([await listed(), await statusOf()]).toEqual([0, 403]);
  });
});

describe('kalends check', () => {
  const check = (...options: string[]) => runCommand(['check', ...options], { DATABASE_URL: app().databaseUrl });

  test('exits with 0 if the index equals the database, also while it follows writes', async () => {
    const writes = (async () => {
      for (let n = 0; n < 5; n += 1) await event(app().client, app().tokens.adm, { title: `Meanwhile ${n}` });
    })();
    const { code, stdout, stderr } = await check('--during', '1');
    await writes;
    expect([code, stdout, stderr]).toEqual([0, 'Differences between the index of events and the database: 0\n', '']);
  });

  test('names the events that a write changed without a change in the change record', async () => {
    const { id } = await event(app().client, app().tokens.adm);
    await app().client.get('/events');
    const feature = (flag: number) =>
      app()
        .app.get(Database)
        .inTransaction((tx) => tx.execute('UPDATE events SET featured = ? WHERE id = ?', [flag, id]));
    await feature(1);
    const { result, stdout } = await told(() => app().app.get(CheckCommand).run({ during: '0' }));
    await feature(0);
    expect([result, stdout]).toEqual([
      1,
      `event ${id}: the index differs from the database\nDifferences between the index of events and the database: 1\n`,
    ]);
  });

  test('rejects a duration that is no number', async () => {
    const { code, stderr } = await check('--during', 'long');
    expect([code, stderr]).toEqual([1, '--during: "long" is not a number of seconds.\n']);
  });
});

test(
  'a calendar of several chunks of events',
  async () => {
    const random = new Random(11);
    const values = Array.from({ length: 3_000 }, (_, n) => {
      const start = new Date(Date.parse('2026-11-10T00:00:00Z') + random.between(0, 500) * 3_600_000).toISOString();
      const start_utc = start.slice(0, 19).replace('T', ' ');
      return {
        title: `Event ${n}`,
        start_utc,
        end_utc: start_utc,
        featured: random.chance(0.3) ? 1 : 0,
        terms: [1 + (n % 3)],
      } as const;
    });
    await insertEvents(app(), values);
    const known: Known = { events: [1, 2, 3], venues: [1], organizers: [1], categories: [1, 2], tags: [3] };
    for (let n = 0; n < 2; n += 1) await expectSameLists(random, known);
    const rows = await app().app.get(Database).query<EventRow>('SELECT * FROM events');
    // Enough in one place that chunks are split, and so many removed that they are joined.
    const moved = rows.filter(() => random.chance(0.4));
    const later = { start_utc: '2026-11-21 10:00:00', end_utc: '2026-11-21 11:00:00' };
    await app()
      .app.get(Database)
      .inTransaction(async (tx) => {
        for (const row of moved) {
          await tx.update('events', row.id, later);
          tx.recordChange('event.updated', row.id, 0);
        }
      });
    await expectSameLists(random, known);
    await expectNoDifferences();
  },
  PATIENCE_MS,
);
