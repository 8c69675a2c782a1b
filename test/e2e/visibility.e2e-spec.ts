import type { Reply } from '../support/client.js';
import { titlesOf, useApp } from '../support/events.js';
import { event } from '../support/factories.js';

/** Who asks; con2 and aut2 own nothing. */
const CALLERS = ['anon', 'sub', 'con', 'con2', 'aut', 'aut2', 'edi', 'adm'] as const;
/** Whose events they are: one of each kind below. */
const OWNERS = ['con', 'aut', 'adm', 'sub'] as const;

/** For the event of each owner, in the order above, the callers for whom something holds. */
type Row = readonly [con: string, aut: string, adm: string, sub: string];

const everyone = 'anon sub con con2 aut aut2 edi adm';
const EVERYONE: Row = [everyone, everyone, everyone, everyone];
const NOBODY: Row = ['', '', '', ''];
/** The owner, if the role may write at all, and editors. */
const OWNER: Row = ['con edi adm', 'aut edi adm', 'edi adm', 'edi adm'];
/** The same without contributors: what they wrote is no longer theirs once it is published. */
const EDITOR: Row = ['edi adm', 'aut edi adm', 'edi adm', 'edi adm'];

interface Visibility {
  /** It serves as a reference: the filter by parent knows it. */
  readonly known: Row;
  /** GET by id and by slug answer it. */
  readonly read: Row;
  /** Lists show it, and `include` finds it. */
  readonly listed: Row;
  /** `status` finds it under its own name; of those who may ask for it. */
  readonly byStatus: Row;
  /** What it holds is found: by a search, by venue, category and tag. */
  readonly matched: Row;
  /** Its venue counts as one that has events. */
  readonly hasEvents: Row;
  /** Its venue counts as one with upcoming events. */
  readonly upcoming: Row;
  /** How often its terms count it: the same for every caller. */
  readonly count: 0 | 1;
}

/** The rules of contract 4, 7.3, 10.1, 11.1 and 13.1 in one table; written down, not computed. */
const TABLE = {
  publish: {
    known: EVERYONE,
    read: EVERYONE,
    listed: EVERYONE,
    byStatus: EVERYONE,
    matched: EVERYONE,
    hasEvents: EVERYONE,
    upcoming: EVERYONE,
    count: 1,
  },
  due: {
    known: EVERYONE,
    read: EVERYONE,
    listed: EVERYONE,
    byStatus: EVERYONE,
    matched: EVERYONE,
    hasEvents: EVERYONE,
    upcoming: EVERYONE,
    count: 1,
  },
  future: {
    known: OWNER,
    read: OWNER,
    listed: OWNER,
    byStatus: OWNER,
    matched: OWNER,
    hasEvents: OWNER,
    upcoming: OWNER,
    count: 0,
  },
  draft: {
    known: OWNER,
    read: OWNER,
    listed: OWNER,
    byStatus: OWNER,
    matched: OWNER,
    hasEvents: NOBODY,
    upcoming: OWNER,
    count: 0,
  },
  pending: {
    known: OWNER,
    read: OWNER,
    listed: OWNER,
    byStatus: OWNER,
    matched: OWNER,
    hasEvents: NOBODY,
    upcoming: OWNER,
    count: 0,
  },
  private: {
    known: OWNER,
    read: OWNER,
    listed: OWNER,
    byStatus: OWNER,
    matched: OWNER,
    hasEvents: OWNER,
    upcoming: OWNER,
    count: 0,
  },
  trash: {
    known: OWNER,
    read: OWNER,
    listed: NOBODY,
    byStatus: OWNER,
    matched: NOBODY,
    hasEvents: NOBODY,
    upcoming: NOBODY,
    count: 0,
  },
  hidden: {
    known: EVERYONE,
    read: EVERYONE,
    listed: NOBODY,
    byStatus: NOBODY,
    matched: NOBODY,
    hasEvents: EVERYONE,
    upcoming: NOBODY,
    count: 1,
  },
  protected: {
    known: EVERYONE,
    read: EDITOR,
    listed: EVERYONE,
    byStatus: EVERYONE,
    matched: EDITOR,
    hasEvents: EVERYONE,
    upcoming: EVERYONE,
    count: 1,
  },
} as const satisfies Record<string, Visibility>;

type Kind = keyof typeof TABLE;
type CallerName = (typeof CALLERS)[number];

/** What makes an event of the kind. */
const FIELDS: Record<Kind, object> = {
  publish: {},
  due: { date: '2026-11-20 09:00' },
  future: { date: '2026-12-24' },
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  trash: { status: 'trash' },
  hidden: { hide_from_listings: true },
  protected: {},
};
/** The name under which the status filter knows it. */
const STATUS: Record<Kind, string> = {
  publish: 'publish',
  due: 'publish',
  future: 'future',
  draft: 'draft',
  pending: 'pending',
  private: 'private',
  trash: 'trash',
  hidden: 'publish',
  protected: 'publish',
};
/** After the date of the `due` events, before that of the `future` ones. */
const LATER = '2026-11-20T10:00:00Z';

interface Made {
  /** `draft-by-con`: title, and the word that a search finds. */
  readonly name: string;
  readonly kind: Kind;
  readonly owner: number;
  readonly id: number;
  readonly slug: string;
  readonly venue: number;
  readonly organizer: number;
  readonly category: number;
  readonly tag: number;
}

const app = useApp();
const tokens: Partial<Record<CallerName, string>> = {};
const made: Made[] = [];
let parent: number;

beforeAll(async () => {
  const { client, userIds } = app();
  const { adm } = app().tokens;
  Object.assign(tokens, app().tokens, {
    con2: (await app().newUser('contributor')).token,
    aut2: (await app().newUser('author')).token,
  });
  parent = (await event(client, adm, { title: 'Parent', hide_from_listings: true })).id as number;
  for (const kind of Object.keys(TABLE) as Kind[]) {
    for (const [owner, user] of OWNERS.entries()) {
      const name = `${kind}-by-${user}`;
      const record = await event(client, adm, {
        title: name,
        author: userIds[user],
        post_parent: parent,
        venue: { venue: name },
        organizer: { organizer: name },
        categories: [name],
        tags: [name],
        ...FIELDS[kind],
      });
      const id = record.id as number;
      if (kind === 'protected') await client.put(`/events/${id}`, { password: 'sesame' }, adm);
      made.push({
        name,
        kind,
        owner,
        id,
        slug: record.slug,
        venue: record.venue.id,
        organizer: record.organizer[0].id,
        category: record.categories[0].id,
        tag: record.tags[0].id,
      });
    }
  }
});

beforeEach(() => app().setNow(LATER));

const get = (path: string, caller: CallerName): Promise<Reply> => app().client.get(path, tokens[caller]);

/** Whether the table says so, by the name of the event. */
function expected(column: Exclude<keyof Visibility, 'count'>, caller: CallerName): Record<string, boolean> {
  return Object.fromEntries(
    made.map(({ name, kind, owner }) => [name, (TABLE[kind][column][owner] ?? '').split(' ').includes(caller)]),
  );
}

/** Asks about each event, one after the other. */
async function asked(ask: (event: Made) => Promise<boolean>): Promise<Record<string, boolean>> {
  const answers: [string, boolean][] = [];
  for (const one of made) answers.push([one.name, await ask(one)]);
  return Object.fromEntries(answers);
}

/** A list that must hold just the one event, or nothing, and whose totals agree. */
function holds(reply: Reply, name: string): boolean {
  const titles = titlesOf(reply);
  expect([titles, [name]]).toContainEqual(titles.length === 0 ? [] : [name]);
  expect([reply.body.total, reply.headers['x-tec-total']]).toEqual([titles.length, String(titles.length)]);
  return titles.length === 1;
}

/** Whether a reference was known; else it must have been refused as an unknown one. */
function isKnown(reply: Reply, parameter: string): boolean {
  if (reply.status === 200) return true;
  expect([reply.status, reply.body.data?.details?.[parameter]?.code]).toEqual([400, 'rest_unknown_reference']);
  return false;
}

const mayAskForStatus = (caller: CallerName) => caller !== 'anon' && caller !== 'sub';

test('the table is asked about events of every kind and owner', () => {
  expect(made).toHaveLength(36);
  expect(new Set(made.map(({ id }) => id)).size).toBe(36);
});

describe.each(CALLERS)('what %s sees', (caller) => {
  const isRead = (reply: Reply, { kind, id }: Made): boolean => {
    if (reply.status === 200) {
      expect(reply.body.id).toBe(id);
      return true;
    }
    const codes: Partial<Record<Kind, string>> = {
      trash: 'event-no-longer-available',
      protected: 'event-password-protected',
    };
    expect([reply.status, reply.body.code]).toEqual([403, codes[kind] ?? 'event-not-accessible']);
    return false;
  };

  test('EV-GET-05, EV-GET-06, EV-GET-07: GET /events/{id}', async () => {
    const found = await asked(async (one) => isRead(await get(`/events/${one.id}`, caller), one));
    expect(found).toEqual(expected('read', caller));
  });

  test('EV-GET-05, EV-GET-06, EV-GET-08: GET /events/by-slug/{slug}', async () => {
    const found = await asked(async (one) => isRead(await get(`/events/by-slug/${one.slug}`, caller), one));
    expect(found).toEqual(expected('read', caller));
  });

  test('EV-LIST-35, EV-LIST-37, EV-LIST-38, EV-LIST-39: GET /events and its totals', async () => {
    const reply = await get(`/events?post_parent=${parent}&per_page=100`, caller);
    const titles = new Set(titlesOf(reply));
    expect(Object.fromEntries(made.map(({ name }) => [name, titles.has(name)]))).toEqual(expected('listed', caller));
    expect(reply.body).toMatchObject({ total: titles.size, total_pages: 1 });
    expect(reply.headers).toMatchObject({ 'x-tec-total': String(titles.size), 'x-wp-total': String(titles.size) });
    const paged = await get(`/events?post_parent=${parent}&per_page=1&page=${titles.size}`, caller);
    expect([paged.body.events.length, paged.body.total_pages]).toEqual([1, titles.size]);
    expect((await get(`/events?post_parent=${parent}&per_page=1&page=${titles.size + 1}`, caller)).status).toBe(404);
  });

  test('EV-LIST-31, EV-LIST-33: GET /events?include=', async () => {
    const found = await asked(async ({ id, name }) => holds(await get(`/events?include=${id}`, caller), name));
    expect(found).toEqual(expected('listed', caller));
  });

  test('EV-LIST-36, EV-LIST-37, EV-LIST-38: GET /events?status=', async () => {
    const found = await asked(async ({ id, name, kind }) => {
      const reply = await get(`/events?include=${id}&status=${STATUS[kind]}`, caller);
      if (mayAskForStatus(caller) || STATUS[kind] === 'publish') return holds(reply, name);
      expect([reply.status, reply.body.data.details.status.code]).toEqual([400, 'rest_not_allowed']);
      return false;
    });
    expect(found).toEqual(expected('byStatus', caller));
  });

  test('EV-LIST-36: GET /events?status= of other statuses never finds it', async () => {
    const all = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
    for (const { id, kind } of made) {
      const others = all.filter((status) => status !== STATUS[kind]).join(',');
      const { status, body } = await get(`/events?include=${id}&status=${others}`, caller);
      expect(status).toBe(mayAskForStatus(caller) ? 200 : 400);
      if (!mayAskForStatus(caller)) continue;
      expect([kind, body.total, body.events]).toEqual([kind, 0, []]);
    }
  });

  test.each([
    ['search', ({ name }: Made) => `search=%22${name}%22`],
    ['venue', ({ venue }: Made) => `venue=${venue}`],
    ['organizer', ({ organizer }: Made) => `organizer=${organizer}`],
    ['categories', ({ category }: Made) => `categories=${category}`],
    ['tags', ({ tag }: Made) => `tags=${tag}`],
  ])('EV-LIST-22, EV-LIST-24, EV-LIST-26, EV-LIST-27, EV-LIST-40: GET /events?%s=', async (_, query) => {
    const found = await asked(async (one) => holds(await get(`/events?${query(one)}`, caller), one.name));
    expect(found).toEqual(expected('matched', caller));
  });

  test('EV-LIST-32: GET /events?post_parent=', async () => {
    const found = await asked(async ({ id }) => isKnown(await get(`/events?post_parent=${id}`, caller), 'post_parent'));
    expect(found).toEqual(expected('known', caller));
  });

  test.each([
    ['venues', 'event'],
    ['organizers', 'event'],
    ['categories', 'post'],
    ['tags', 'event'],
  ])('VO-09, TERM-08: GET /%s?%s=', async (collection, parameter) => {
    const known: Record<string, boolean> = {};
    const found = await asked(async ({ id, name }) => {
      const reply = await get(`/${collection}?${parameter}=${id}&hide_empty=false`, caller);
      known[name] = isKnown(reply, parameter);
      return known[name] && reply.body.total === 1;
    });
    expect(known).toEqual(expected('known', caller));
    // Of a protected event nothing is told; of any other that may be read everything.
    const told = made.map(({ name, kind }) => [name, expected(kind === 'protected' ? 'read' : 'known', caller)[name]]);
    expect(found).toEqual(Object.fromEntries(told));
  });

  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('VO-08, VO-10: GET /%s?has_events=, only_with_upcoming=', async (collection, name) => {
    const names = async (query: string) => {
      const { body } = await get(`/${collection}?per_page=100&${query}`, caller);
      const found = (body[collection] as Record<string, string>[]).map((record) => record[name]);
      expect(body.total).toBe(found.length);
      return Object.fromEntries(made.map((one) => [one.name, found.includes(one.name)]));
    };
    expect(await names('has_events=true')).toEqual(expected('hasEvents', caller));
    const without = Object.entries(expected('hasEvents', caller)).map(([key, value]) => [key, !value]);
    expect(await names('has_events=false')).toEqual(Object.fromEntries(without));
    expect(await names('only_with_upcoming=true')).toEqual(expected('upcoming', caller));
  });

  test.each([
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)('TERM-03, TERM-18: the counts of /%s', async (collection, name) => {
    const counts = Object.fromEntries(made.map((one) => [one.name, TABLE[one.kind].count]));
    const single: Record<string, number> = {};
    for (const one of made) single[one.name] = (await get(`/${collection}/${one[name]}`, caller)).body.count;
    expect(single).toEqual(counts);
    const { body } = await get(`/${collection}?hide_empty=false&per_page=100`, caller);
    const listed = (body[collection] as { name: string; count: number }[]).map((term) => [term.name, term.count]);
    expect(Object.fromEntries(listed)).toEqual(counts);
    const used = await get(`/${collection}?per_page=100`, caller);
    expect(used.body.total).toBe(Object.values(counts).filter((count) => count === 1).length);
  });
});
