import { Agent } from 'node:http';
import { readCalendar } from '../support/calendar.js';
import { Client, type Reply, type Sent } from '../support/client.js';
import { titlesOf, useApp } from '../support/events.js';
import { event, organizer, venue } from '../support/factories.js';
import { titlesOf as shownTitles, visit } from '../support/site.js';

/** The tests try one caller of each kind of condition. MATRIX=whole tries all, as the nightly run does. */
const isWhole = process.env.MATRIX === 'whole';
/** The callers; con2 and aut2 own nothing. */
const ALL_CALLERS = ['anon', 'sub', 'con', 'con2', 'aut', 'aut2', 'edi', 'adm'] as const;
const CALLERS = isWhole ? ALL_CALLERS : (['anon', 'con', 'con2', 'edi'] as const);
/** The owners: each has one event of each kind below. */
const ALL_OWNERS = ['con', 'aut', 'adm', 'sub'] as const;
const OWNERS = isWhole ? ALL_OWNERS : (['con', 'adm'] as const);
type Owner = (typeof ALL_OWNERS)[number];

/** The callers with a permission, for the event of each owner. */
type Row = Readonly<Record<Owner, string>>;

const everyone = 'anon sub con con2 aut aut2 edi adm';
const EVERYONE: Row = { con: everyone, aut: everyone, adm: everyone, sub: everyone };
const NOBODY: Row = { con: '', aut: '', adm: '', sub: '' };
/** The owner, if the role may write at all, and editors. */
const OWNER: Row = { con: 'con edi adm', aut: 'aut edi adm', adm: 'edi adm', sub: 'edi adm' };
/** The same without contributors, because they may not edit their own events after publication. */
const EDITOR: Row = { ...OWNER, con: 'edi adm' };

interface Visibility {
  /** It is accepted as a reference, as by the filter by parent. */
  readonly known: Row;
  /** GET by id and by slug return it. */
  readonly read: Row;
  /** Lists show it, and `include` finds it. */
  readonly listed: Row;
  /** `status` finds it by its own status, for callers that may use this filter. */
  readonly byStatus: Row;
  /** A search and filters by venue, category and tag find its contents. */
  readonly matched: Row;
  /** Its venue counts as one that has events. */
  readonly hasEvents: Row;
  /** Its venue counts as one with upcoming events. */
  readonly upcoming: Row;
  /** The caller may update and delete it. */
  readonly edit: Row;
  /** How often its terms count it: the same for every caller. */
  readonly count: 0 | 1;
}

/** The rules of contract 4, 7.3, 10.1, 11.1 and 13.1 in one table, written by hand to be independent of the code. */
const TABLE = {
  publish: {
    known: EVERYONE,
    read: EVERYONE,
    listed: EVERYONE,
    byStatus: EVERYONE,
    matched: EVERYONE,
    hasEvents: EVERYONE,
    upcoming: EVERYONE,
    edit: EDITOR,
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
    edit: EDITOR,
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
    edit: EDITOR,
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
    edit: OWNER,
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
    edit: OWNER,
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
    edit: OWNER,
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
    edit: EDITOR,
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
    edit: EDITOR,
    count: 1,
  },
  protected: {
    known: EVERYONE,
    read: EDITOR,
    listed: EVERYONE,
    byStatus: EVERYONE,
    matched: EDITOR,
    hasEvents: EDITOR,
    upcoming: EDITOR,
    edit: EDITOR,
    count: 1,
  },
} as const satisfies Record<string, Visibility>;

type Kind = keyof typeof TABLE;
type CallerName = (typeof ALL_CALLERS)[number];

/** Fields that create an event of the kind. */
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
/** Value of the status filter that finds it. */
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
  readonly owner: Owner;
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
/** Reuses connections, because the matrix sends thousands of requests. */
const agent = new Agent({ keepAlive: true });
let visitor: Client;
afterAll(() => agent.destroy());

beforeAll(async () => {
  const { client, userIds } = app();
  const { adm } = app().tokens;
  visitor = new Client(client.port, client.mount, { agent });
  Object.assign(tokens, app().tokens, {
    con2: (await app().newUser('contributor')).token,
    aut2: (await app().newUser('author')).token,
  });
  parent = (await event(client, adm, { title: 'Parent', hide_from_listings: true })).id as number;
  for (const kind of Object.keys(TABLE) as Kind[]) {
    for (const owner of OWNERS) {
      const name = `${kind}-by-${owner}`;
      const record = await event(client, adm, {
        title: name,
        author: userIds[owner],
        post_parent: parent,
        description: `Behind the door: secret-${name}.`,
        cost: '20€',
        website: `https://example.com/${name}`,
        image: `https://example.com/${name}.jpg`,
        featured: true,
        ticketed: true,
        venue: { venue: name, geo_lat: 10 + made.length, geo_lng: 20 },
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

const send = (path: string, caller: CallerName, sent: Sent = {}): Promise<Reply> =>
  visitor.send(path, { token: tokens[caller], ...sent });
const get = (path: string, caller: CallerName): Promise<Reply> => send(path, caller);

/** Number of cases so far. A case is one caller, one channel and one record. */
let cases = 0;

/** One assertion for every record, so that a failure names caller, channel and record. */
function compare<Seen>(caller: CallerName, channel: string, found: Record<string, Seen>, table: Record<string, Seen>) {
  expect([caller, channel, Object.keys(found).sort()]).toEqual([caller, channel, Object.keys(table).sort()]);
  for (const [record, seen] of Object.entries(table)) {
    expect({ caller, channel, record, seen: found[record] }).toEqual({ caller, channel, record, seen });
    cases += 1;
  }
}

/** Returns the expected values of a column, by the name of the event. */
function expected(column: Exclude<keyof Visibility, 'count'>, caller: CallerName): Record<string, boolean> {
  return Object.fromEntries(
    made.map(({ name, kind, owner }) => [name, TABLE[kind][column][owner].split(' ').includes(caller)]),
  );
}

/** Returns false for every event. */
const never = () => Object.fromEntries(made.map(({ name }) => [name, false]));

/** Sends requests for each event, one after the other. */
async function asked(ask: (event: Made) => Promise<boolean>): Promise<Record<string, boolean>> {
  const answers: [string, boolean][] = [];
  for (const one of made) answers.push([one.name, await ask(one)]);
  return Object.fromEntries(answers);
}

/** Returns all pages of a list of the site, each with its titles and its text. */
async function pagesOf(path: string, see: (path: string) => Promise<Reply>): Promise<[string, string[], string][]> {
  const pages: [string, string[], string][] = [];
  for (let page = 1; ; page += 1) {
    const address = `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
    const reply = await see(address);
    if (reply.status === 404 && page > 1) return pages;
    expect(reply.status).toBe(200);
    pages.push([address, shownTitles(reply), reply.text]);
  }
}

/** Returns whether a list contains the one event. It must contain no other, and its totals must agree. */
function holds(reply: Reply, name: string): boolean {
  const titles = titlesOf(reply);
  expect([titles, [name]]).toContainEqual(titles.length === 0 ? [] : [name]);
  expect([reply.body.total, reply.headers['x-tec-total']]).toEqual([titles.length, String(titles.length)]);
  return titles.length === 1;
}

/** Returns whether a reference was accepted. Otherwise it must be rejected as unknown. */
function isKnown(reply: Reply, parameter: string, id: number): boolean {
  if (reply.status === 200) return true;
  expect([reply.status, reply.body]).toEqual([400, unknownReference({ [parameter]: id })]);
  return false;
}

/** Returns the exact response to an id that does not exist. */
function unknownReference(given: Record<string, number>) {
  const texts = Object.entries(given).map(([name, id]) => [
    name,
    `${name} refers to something that does not exist: ${id}.`,
  ]);
  const details = texts.map(([name, message]) => [name, { code: 'rest_unknown_reference', message, data: null }]);
  return {
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${Object.keys(given).join(', ')}`,
    data: { status: 400, params: Object.fromEntries(texts), details: Object.fromEntries(details) },
  };
}

/** Returns whether a create accepts the reference. Its empty title is always rejected, so that nothing is written. */
async function isLinkable(collection: string, reference: object, caller: CallerName): Promise<boolean> {
  const body = { title: '', start_date: '2027-03-10', end_date: '2027-03-10', ...reference };
  const reply = await send(`/${collection}`, caller, { method: 'POST', body });
  const names = Object.keys(reply.body.data.params as object);
  expect([reply.status, names[0]]).toEqual([400, 'title']);
  expect([['title'], ['title', ...Object.keys(reference)]]).toContainEqual(names);
  return names.length === 1;
}

/** Callers without write access get no error for a reference, so that they do not learn which ids exist. */
function forWriters(table: Record<string, boolean>, caller: CallerName): Record<string, boolean> {
  return caller === 'anon' || caller === 'sub'
    ? Object.fromEntries(Object.keys(table).map((name) => [name, true]))
    : table;
}

const mayAskForStatus = (caller: CallerName) => caller !== 'anon' && caller !== 'sub';

test('the matrix has an event of every kind and owner', () => {
  const events = Object.keys(TABLE).length * OWNERS.length;
  expect(made).toHaveLength(events);
  expect(new Set(made.map(({ id }) => id)).size).toBe(events);
});

describe.each(CALLERS)('visibility of events for %s', (caller) => {
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
    compare(caller, 'read by id', found, expected('read', caller));
  });

  test('EV-GET-05, EV-GET-06, EV-GET-08: GET /events/by-slug/{slug}', async () => {
    const found = await asked(async (one) => isRead(await get(`/events/by-slug/${one.slug}`, caller), one));
    compare(caller, 'read by slug', found, expected('read', caller));
  });

  test('EV-LIST-35, EV-LIST-37, EV-LIST-38, EV-LIST-39: GET /events and its totals', async () => {
    const reply = await get(`/events?post_parent=${parent}&per_page=100`, caller);
    const titles = new Set(titlesOf(reply));
    const found = Object.fromEntries(made.map(({ name }) => [name, titles.has(name)]));
    compare(caller, 'list', found, expected('listed', caller));
    expect(reply.body).toMatchObject({ total: titles.size, total_pages: 1 });
    expect(reply.headers).toMatchObject({ 'x-tec-total': String(titles.size), 'x-wp-total': String(titles.size) });
    const paged = await get(`/events?post_parent=${parent}&per_page=1&page=${titles.size}`, caller);
    expect([paged.body.events.length, paged.body.total_pages]).toEqual([1, titles.size]);
    expect((await get(`/events?post_parent=${parent}&per_page=1&page=${titles.size + 1}`, caller)).status).toBe(404);
  });

  test('ICS-33: GET /events.ics shows the events of the list, and the contents that the list shows', async () => {
    const read = readCalendar(await get(`/events.ics?post_parent=${parent}`, caller));
    const shown = new Map(read.map((one) => [one.title, one.lines('.*').join('\n')]));
    expect(shown.size).toBe(read.length);
    const holdsIn = (holds: (one: Made) => boolean) => Object.fromEntries(made.map((one) => [one.name, holds(one)]));
    compare(
      caller,
      'feed',
      holdsIn(({ name }) => shown.has(name)),
      expected('listed', caller),
    );
    const contents = holdsIn(({ name }) => {
      const lines = (shown.get(name) ?? '').split('\n').filter((line) => !/^(SUMMARY|URL):/.test(line));
      const isShown = lines.some((line) => line.includes(`secret-${name}`));
      const names = /^(DESCRIPTION|LOCATION|CATEGORIES|CONTACT|IMAGE|ATTACH|GEO)[:;]/;
      expect(lines.filter((line) => names.test(line))).toHaveLength(isShown ? 7 : 0);
      return isShown;
    });
    compare(caller, 'contents of the feed', contents, expected('matched', caller));
  });

  test('PAGE-45: pages, Atom and sitemaps show what anonymous callers may read, whatever the caller sends', async () => {
    const see = (path: string) => visit(visitor, path, { token: tokens[caller] });
    const slugsIn = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, slug]) => slug));
    const month = await see('/events/month/2027-03/');
    const seen: Record<string, Set<string | undefined>> = {
      'list of a month': new Set(shownTitles(month)),
      day: new Set(shownTitles(await see('/events/day/2027-03-10/'))),
      embed: new Set(shownTitles(await see('/embed/?limit=50'))),
      atom: slugsIn((await see('/events.atom')).text, /<entry>.*?<title>([^<]*)</g),
    };
    const lists = [...(await pagesOf('/', see)), ...(await pagesOf('/search/?q=by', see))];
    seen.list = new Set(lists.filter(([path]) => path.startsWith('/?')).flatMap(([, titles]) => titles));
    seen.search = new Set(lists.filter(([path]) => path.startsWith('/search')).flatMap(([, titles]) => titles));
    const isListed = expected('listed', 'anon');
    // A search does not find what a password hides.
    const isMatched = expected('matched', 'anon');
    const isOpen = Object.fromEntries(
      made.map(({ name }) => [name, isMatched[name] === true && isListed[name] === true]),
    );
    // A day of the grid shows four of its events.
    const bars = slugsIn(month.text, /class="k-bar[^"]*" href="\/event\/([^/]*)\//g);
    expect(made.filter(({ name, slug }) => bars.has(slug) && isListed[name] !== true)).toEqual([]);
    for (const [channel, names] of Object.entries(seen)) {
      const found = Object.fromEntries(made.map(({ name, slug }) => [name, names.has(name) || names.has(slug)]));
      compare(caller, channel, found, channel === 'search' ? isOpen : isListed);
    }
    const sitemap = slugsIn((await see('/sitemap/1.xml')).text, /\/event\/([^/]*)\/</g);
    const inSitemap = Object.fromEntries(made.map(({ name, slug }) => [name, sitemap.has(slug)]));
    const isRead = expected('read', 'anon');
    compare(caller, 'sitemap', inSitemap, isOpen);
    const found = await asked(async ({ name, slug, kind }) => {
      const page = await see(`/event/${slug}/`);
      const isShown = page.status === 200;
      expect([name, page.status]).toEqual([name, isShown ? 200 : kind === 'protected' ? 403 : 404]);
      expect([name, page.text.includes(`secret-${name}`)]).toEqual([name, isShown]);
      // A page of what is not public tells no more than the address did.
      if (page.status === 404) expect(page.text.replaceAll(slug, '')).not.toContain(name);
      return isShown;
    });
    compare(caller, 'page', found, isRead);
    const texts = [month.text, (await see('/events.atom')).text, ...lists.map(([, , text]) => text)].join('');
    const secrets = made.filter(({ name }) => isRead[name] !== true && texts.includes(`secret-${name}`));
    expect(secrets).toEqual([]);
  });

  test.each(['id', 'slug'] as const)('ICS-33: GET of one event as a calendar by %s', async (address) => {
    const found = await asked(async (one) => {
      const path = address === 'id' ? `/events/${one.id}.ics` : `/events/by-slug/${one.slug}.ics`;
      const reply = await get(path, caller);
      if (reply.status !== 200) return isRead(reply, one);
      expect(readCalendar(reply).map(({ title }) => title)).toEqual([one.name]);
      return true;
    });
    compare(caller, `calendar by ${address}`, found, expected('read', caller));
  });

  test('EV-LIST-31, EV-LIST-33: GET /events?include=', async () => {
    const found = await asked(async ({ id, name }) => holds(await get(`/events?include=${id}`, caller), name));
    compare(caller, 'include', found, expected('listed', caller));
  });

  test('EV-LIST-36, EV-LIST-37, EV-LIST-38: GET /events?status=', async () => {
    const found = await asked(async ({ id, name, kind }) => {
      const reply = await get(`/events?include=${id}&status=${STATUS[kind]}`, caller);
      if (mayAskForStatus(caller) || STATUS[kind] === 'publish') return holds(reply, name);
      expect([reply.status, reply.body.data.details.status.code]).toEqual([400, 'rest_not_allowed']);
      return false;
    });
    compare(caller, 'status', found, expected('byStatus', caller));
  });

  test('EV-LIST-36: GET /events?status= of other statuses never finds it', async () => {
    const all = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
    const found = await asked(async ({ id, name, kind }) => {
      const others = all.filter((status) => status !== STATUS[kind]).join(',');
      const reply = await get(`/events?include=${id}&status=${others}`, caller);
      expect(reply.status).toBe(mayAskForStatus(caller) ? 200 : 400);
      return mayAskForStatus(caller) && holds(reply, name);
    });
    compare(caller, 'other statuses', found, never());
  });

  test.each([
    ['search', ({ name }: Made) => `search=%22${name}%22`],
    ['venue', ({ venue }: Made) => `venue=${venue}`],
    ['organizer', ({ organizer }: Made) => `organizer=${organizer}`],
    ['categories', ({ category }: Made) => `categories=${category}`],
    ['tags', ({ tag }: Made) => `tags=${tag}`],
    ['search (description)', ({ name }: Made) => `search=secret-${name}`],
    ['search (what does not occur)', ({ name }: Made) => `search=%22${name}%22+-elsewhere`],
    ['featured', ({ id }: Made) => `include=${id}&featured=true`],
    ['ticketed', ({ id }: Made) => `include=${id}&ticketed=true`],
    ['geoloc', ({ id }: Made) => `include=${id}&geoloc=true`],
    ['geoloc_lat', (one: Made) => `geoloc_lat=${10 + made.indexOf(one)}&geoloc_lng=20&post_parent=${parent}`],
  ])('EV-LIST-22, EV-LIST-24, EV-LIST-26, EV-LIST-27, EV-LIST-40: GET /events?%s=', async (channel, query) => {
    const found = await asked(async (one) => holds(await get(`/events?${query(one)}`, caller), one.name));
    compare(caller, channel, found, expected('matched', caller));
  });

  test.each(['featured=false', 'ticketed=false', 'geoloc=false', 'search=nowhere', 'search=x+-secret'])(
    'EV-LIST-40: GET /events?%s finds no event, so that it reveals no hidden value',
    async (filter) => {
      const found = await asked(async ({ id, name }) => {
        const reply = await get(`/events?include=${id}&${filter}`, caller);
        return reply.status === 200 && holds(reply, name);
      });
      compare(caller, filter, found, never());
    },
  );

  test('EV-LIST-40: lists blank the members of a password-protected event', async () => {
    const found = await asked(async ({ id, name }) => {
      const reply = await get(`/events?include=${id}`, caller);
      if (reply.body.total === 0) return false;
      const [shown] = reply.body.events;
      const isBlank = shown.description === '';
      expect(shown.title).toBe(name);
      expect([shown.cost, shown.website, shown.image === false, shown.featured, shown.ticketed, shown.all_day]).toEqual(
        isBlank ? ['', '', true, null, null, null] : ['20€', `https://example.com/${name}`, false, true, true, false],
      );
      for (const member of ['categories', 'tags', 'organizer']) expect(shown[member]).toHaveLength(isBlank ? 0 : 1);
      expect([isBlank, shown.venue]).toEqual([isBlank, isBlank ? [] : expect.objectContaining({ venue: name })]);
      expect(shown.cost_details.values).toEqual(isBlank ? [] : ['20']);
      return !isBlank;
    });
    compare(caller, 'members of a list', found, expected('matched', caller));
  });

  test('GEN-22: GET /events?_fields= reveals no more', async () => {
    const found = await asked(async ({ id, name }) => {
      const { body } = await get(`/events?include=${id}&_fields=description,venue.venue,tags.name,image.url`, caller);
      return JSON.stringify(body.events).includes(name);
    });
    compare(caller, '_fields of a list', found, expected('matched', caller));
  });

  test('GEN-21: GET /events/{id}?_fields= reveals no more, nor does an error', async () => {
    const found = await asked(async (one) => {
      const { status, body, text } = await get(`/events/${one.id}?_fields=title,status,code`, caller);
      if (status === 200) return (body.title as string) === one.name;
      expect(Object.keys(body as object)).toEqual(['code', 'message', 'data']);
      expect([body.data, text.includes(one.name)]).toEqual([{ status: 403 }, false]);
      return false;
    });
    compare(caller, '_fields of a record', found, expected('read', caller));
  });

  test.each(['GET', 'HEAD'])(
    'GEN-17, GEN-10: %s with If-None-Match returns 304 to readers, and 403 without ETag to other callers',
    async (method) => {
      const found = await asked(async ({ id }) => {
        const { headers: seen } = await get(`/events/${id}`, 'adm');
        for (const tag of ['*', seen.etag ?? '']) {
          const { status, headers } = await send(`/events/${id}`, caller, {
            method,
            headers: { 'if-none-match': tag },
          });
          if (status === 304) continue;
          expect([status, headers.etag, headers['last-modified']]).toEqual([403, undefined, undefined]);
          return false;
        }
        return true;
      });
      compare(caller, `304 to ${method}`, found, expected('read', caller));
    },
  );

  test('EV-LIST-31: include gives an invisible event the same response as an unknown id', async () => {
    const unknown = 987_654;
    const nothing = await get(`/events?include=${unknown}`, caller);
    const found = await asked(async ({ id }) => {
      const { status, text } = await get(`/events?include=${id}`, caller);
      expect(status).toBe(200);
      return text.replaceAll(`include=${id}`, `include=${unknown}`) !== nothing.text;
    });
    compare(caller, 'include, to the letter', found, expected('listed', caller));
  });

  test('EV-GET-07: the right password opens only protected events', async () => {
    const found = await asked(async (one) => isRead(await get(`/events/${one.id}?password=sesame`, caller), one));
    const told = made.map(({ name, kind }) => [name, expected(kind === 'protected' ? 'known' : 'read', caller)[name]]);
    compare(caller, 'password', found, Object.fromEntries(told) as Record<string, boolean>);
  });

  /** A 412 shows that the caller may edit. If-Match always fails, so that nothing is written. */
  test.each([
    ['PUT', (one: Made) => `/events/${one.id}`],
    ['PUT', (one: Made) => `/events/by-slug/${one.slug}`],
    ['DELETE', (one: Made) => `/events/${one.id}`],
    ['DELETE', (one: Made) => `/events/by-slug/${one.slug}?force=true`],
  ])('AUTH-04, AUTH-05, AUTH-06, AUTH-07, AUTH-08: %s (%#) needs the right to edit', async (method, path) => {
    const found = await asked(async (one) => {
      const sent = { method, body: { title: 'X' }, headers: { 'if-match': '"9999-x"' } };
      const { status, body } = await send(path(one), caller, sent);
      if (status === 412) return true;
      expect([status, body.code]).toEqual([caller === 'anon' ? 401 : 403, 'rest_forbidden']);
      return false;
    });
    compare(caller, `${method} ${path(made[0] as Made)}`, found, expected('edit', caller));
  });

  test('EV-NEW-19: POST /events with post_parent', async () => {
    const found = await asked(async ({ id }) => isLinkable('events', { post_parent: id }, caller));
    compare(caller, 'post_parent of a write', found, forWriters(expected('known', caller), caller));
  });

  test('EV-LIST-32: GET /events?post_parent=', async () => {
    const found = await asked(async ({ id }) =>
      isKnown(await get(`/events?post_parent=${id}`, caller), 'post_parent', id),
    );
    compare(caller, 'post_parent', found, expected('known', caller));
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
      known[name] = isKnown(reply, parameter, id);
      return known[name] && reply.body.total === 1;
    });
    compare(caller, `${parameter} of ${collection} is known`, known, expected('known', caller));
    // All callers may use a protected event as a filter, but only its readers get the linked records.
    const told = made.map(({ name, kind }) => [name, expected(kind === 'protected' ? 'read' : 'known', caller)[name]]);
    compare(caller, `${parameter} of ${collection}`, found, Object.fromEntries(told) as Record<string, boolean>);
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
    const ask = async (query: string, table: Record<string, boolean>) =>
      compare(caller, `${collection}?${query}`, await names(query), table);
    await ask('has_events=true', expected('hasEvents', caller));
    const without = Object.entries(expected('hasEvents', caller)).map(([key, value]) => [key, !value]);
    await ask('has_events=false', Object.fromEntries(without) as Record<string, boolean>);
    await ask('only_with_upcoming=true', expected('upcoming', caller));
  });

  test.each([
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)('TERM-03, TERM-18: the counts of /%s are the same for every caller', async (collection, name) => {
    const counts = Object.fromEntries(made.map((one) => [one.name, TABLE[one.kind].count]));
    const single: Record<string, number> = {};
    for (const one of made) single[one.name] = (await get(`/${collection}/${one[name]}`, caller)).body.count;
    compare<number>(caller, `count of /${collection}/{id}`, single, counts);
    const { body } = await get(`/${collection}?hide_empty=false&per_page=100`, caller);
    const listed = (body[collection] as { name: string; count: number }[]).map((term) => [term.name, term.count]);
    compare<number>(caller, `count of /${collection}`, Object.fromEntries(listed) as Record<string, number>, counts);
    const used = await get(`/${collection}?per_page=100`, caller);
    expect(used.body.total).toBe(Object.values(counts).filter((count) => count === 1).length);
  });
});

/** The rules for a venue or an organizer that a public event is linked to; the same for both. */
interface LinkedVisibility {
  /** GET by id and by slug return it. */
  readonly read: Row;
  /** Lists show it, a search finds it. */
  readonly listed: Row;
  /** `status` finds it by its own status, for callers that may use this filter. */
  readonly byStatus: Row;
  /** Events show it, and geographic filters find them by its position. */
  readonly embedded: Row;
  /** It is accepted as a filter of events. */
  readonly known: Row;
  /** It can be linked, by callers that may write. */
  readonly linkable: Row;
  readonly edit: Row;
}

const LINKED_TABLE = {
  publish: {
    read: EVERYONE,
    listed: EVERYONE,
    byStatus: EVERYONE,
    embedded: EVERYONE,
    known: EVERYONE,
    linkable: EVERYONE,
    edit: EDITOR,
  },
  due: {
    read: EVERYONE,
    listed: EVERYONE,
    byStatus: EVERYONE,
    embedded: EVERYONE,
    known: EVERYONE,
    linkable: EVERYONE,
    edit: EDITOR,
  },
  future: { read: OWNER, listed: OWNER, byStatus: OWNER, embedded: OWNER, known: OWNER, linkable: OWNER, edit: EDITOR },
  draft: { read: OWNER, listed: OWNER, byStatus: OWNER, embedded: OWNER, known: OWNER, linkable: OWNER, edit: OWNER },
  pending: { read: OWNER, listed: OWNER, byStatus: OWNER, embedded: OWNER, known: OWNER, linkable: OWNER, edit: OWNER },
  private: { read: OWNER, listed: OWNER, byStatus: OWNER, embedded: OWNER, known: OWNER, linkable: OWNER, edit: OWNER },
  trash: {
    read: OWNER,
    listed: NOBODY,
    byStatus: OWNER,
    embedded: NOBODY,
    known: OWNER,
    linkable: NOBODY,
    edit: EDITOR,
  },
} as const satisfies Partial<Record<Kind, LinkedVisibility>>;

type LinkedKind = keyof typeof LINKED_TABLE;

interface Linked {
  readonly name: string;
  readonly kind: LinkedKind;
  readonly owner: Owner;
  readonly id: number;
  readonly slug: string;
  /** The public event that it is linked to. */
  readonly event: number;
}

const TWINS = [
  ['venues', 'venue', venue],
  ['organizers', 'organizer', organizer],
] as const;

describe.each(TWINS)('visibility of /%s', (collection, member, factory) => {
  const records: Linked[] = [];

  beforeAll(async () => {
    const { client, userIds } = app();
    const { adm } = app().tokens;
    // The records are created before the time of the tests.
    app().setNow('2026-11-20T08:39:00Z');
    for (const kind of Object.keys(LINKED_TABLE) as LinkedKind[]) {
      for (const owner of OWNERS) {
        const name = `${member} ${kind} of ${owner}`;
        const place = { geo_lat: -10 - records.length, geo_lng: -20 };
        const author = userIds[owner];
        // A record gets into the trash by a delete, not by its status at creation.
        const { status, ...fields } = { status: undefined, ...FIELDS[kind] } as { status?: string };
        const record = await factory(client, adm, {
          [member]: name,
          author,
          ...place,
          ...fields,
          status: kind === 'trash' ? undefined : status,
        });
        const at = await event(client, adm, { title: `Event at ${name}`, [member]: record.id });
        if (kind === 'trash') await client.delete(`/${collection}/${record.id as number}`, adm);
        const { slug } = (await client.get(`/${collection}/${record.id as number}`, adm)).body;
        records.push({ name, kind, owner, id: record.id, slug, event: at.id });
      }
    }
  });

  const table = (column: keyof LinkedVisibility, caller: CallerName): Record<string, boolean> =>
    Object.fromEntries(
      records.map(({ name, kind, owner }) => [name, LINKED_TABLE[kind][column][owner].split(' ').includes(caller)]),
    );
  const ask = async (about: (record: Linked) => Promise<boolean>) => {
    const answers: [string, boolean][] = [];
    for (const record of records) answers.push([record.name, await about(record)]);
    return Object.fromEntries(answers);
  };
  /** Returns whether a list contains the one record. It must contain no other, and its totals must agree. */
  const holdsOne = ({ body, headers }: Reply, id: number): boolean => {
    const ids = (body[collection] as { id: number }[]).map((record) => record.id);
    expect([[], [id]]).toContainEqual(ids);
    expect([body.total, headers['x-tec-total']]).toEqual([ids.length, String(ids.length)]);
    return ids.length === 1;
  };

  describe.each(CALLERS)('by %s', (caller) => {
    test.each(['id', 'slug'] as const)('VO-17, VO-18: GET by %s', async (address) => {
      const found = await ask(async ({ id, slug }) => {
        const path = address === 'id' ? `/${collection}/${id}` : `/${collection}/by-slug/${slug}`;
        const { status, body, headers } = await get(path, caller);
        const code = `${member}-not-accessible`;
        if (status === 200) expect(body.id).toBe(id);
        else expect([status, body.code, body.data, headers.etag]).toEqual([403, code, { status: 403 }, undefined]);
        const again = await send(`${path}?_fields=id`, caller, { headers: { 'if-none-match': '*' } });
        expect(again.status).toBe(status === 200 ? 304 : 403);
        return status === 200;
      });
      compare(caller, `${collection} by ${address}`, found, table('read', caller));
    });

    test('VO-04, VO-05: lists, searches and their totals', async () => {
      const { body } = await get(`/${collection}?per_page=100&search=${member}`, caller);
      const listed = new Set((body[collection] as { id: number }[]).map(({ id }) => id));
      expect(body.total).toBe(listed.size);
      compare(
        caller,
        `list of ${collection}`,
        await ask(({ id }) => Promise.resolve(listed.has(id))),
        table('listed', caller),
      );
      const found = await ask(async ({ id, name }) =>
        holdsOne(await get(`/${collection}?search=${name.replaceAll(' ', '+')}`, caller), id),
      );
      compare(caller, `search of ${collection}`, found, table('listed', caller));
    });

    test('VO-04: the filter by status', async () => {
      const found = await ask(async ({ id, name, kind }) => {
        const reply = await get(`/${collection}?search=${name.replaceAll(' ', '+')}&status=${STATUS[kind]}`, caller);
        if (mayAskForStatus(caller) || STATUS[kind] === 'publish') return holdsOne(reply, id);
        expect([reply.status, reply.body.data.details.status.code]).toEqual([400, 'rest_not_allowed']);
        return false;
      });
      compare(caller, `status of ${collection}`, found, table('byStatus', caller));
    });

    test('EV-GET-09: embedded in GET /events/{id}', async () => {
      const found = await ask(async (record) => {
        const { body } = await get(`/events/${record.event}`, caller);
        const embedded = [body[member]].flat() as { id: number }[];
        expect([[], [record.id]]).toContainEqual(embedded.map(({ id }) => id));
        expect(member === 'venue' ? 'location' in body.json_ld : 'organizer' in body.json_ld).toBe(
          embedded.length === 1,
        );
        // Apart from the embedded record, only the title and the slug may contain its name.
        const { title, slug: _slug, url: _url, ...rest } = body;
        const { name: _name, url: _page, ...jsonLd } = rest.json_ld;
        const elsewhere = JSON.stringify({ ...rest, json_ld: jsonLd, offers: undefined });
        expect([title, elsewhere.includes(record.name)]).toEqual([`Event at ${record.name}`, embedded.length === 1]);
        return embedded.length === 1;
      });
      compare(caller, `${member} of an event`, found, table('embedded', caller));
    });

    test('EV-GET-09, EV-LIST-41: embedded in GET /events, with and without _fields', async () => {
      for (const fields of ['', `&_fields=${member}`, `&_fields=id,${member}.${member}`]) {
        const found = await ask(async ({ event: at, name }) => {
          const { body } = await get(`/events?include=${at}${fields}`, caller);
          return JSON.stringify(body.events[0][member]).includes(name);
        });
        compare(caller, `${member} of a list${fields}`, found, table('embedded', caller));
      }
    });

    test('ICS-33: embedded in GET /events.ics', async () => {
      const ids = records.map(({ event: at }) => at).join();
      const read = readCalendar(await get(`/events.ics?include=${ids}`, caller));
      expect(read).toHaveLength(records.length);
      const found = await ask(({ name }) => {
        const one = read.find(({ title }) => title === `Event at ${name}`);
        const lines = one?.lines('.*').filter((line) => !/^(SUMMARY|URL):/.test(line)) ?? [];
        const isShown = lines.some((line) => line.includes(name));
        if (member === 'venue') expect(one?.lines('GEO')).toHaveLength(isShown ? 1 : 0);
        return Promise.resolve(isShown);
      });
      compare(caller, `${member} of a feed`, found, table('embedded', caller));
    });

    test(`EV-LIST-28, EV-LIST-29: GET /events?${member}=`, async () => {
      const found = await ask(async ({ id, name, event: at }) => {
        const reply = await get(`/events?${member}=${id}`, caller);
        const known = isKnown(reply, member, id);
        if (known) expect([name, reply.body.events.map((one: { id: number }) => one.id)]).toEqual([name, [at]]);
        return known;
      });
      compare(caller, `${member} as a filter`, found, table('known', caller));
    });

    test('VO-09: the filter by event', async () => {
      const found = await ask(async ({ id, event: at }) =>
        holdsOne(await get(`/${collection}?event=${at}`, caller), id),
      );
      compare(caller, `${collection} of an event`, found, table('listed', caller));
    });

    test('EV-NEW-12: linked in POST /events', async () => {
      const found = await ask(async ({ id }) => isLinkable('events', { [member]: id }, caller));
      compare(caller, `${member} of a write`, found, forWriters(table('linkable', caller), caller));
    });

    test('AUTH-04, AUTH-05, AUTH-06, AUTH-07, AUTH-08, VO-28: PUT and DELETE need the right to edit', async () => {
      for (const method of ['PUT', 'DELETE']) {
        const found = await ask(async ({ id }) => {
          const sent = { method, body: { phone: '1' }, headers: { 'if-match': '"9999-x"' } };
          const { status, body } = await send(`/${collection}/${id}`, caller, sent);
          if (status === 412) return true;
          expect([status, body.code]).toEqual([caller === 'anon' ? 401 : 403, 'rest_forbidden']);
          return false;
        });
        compare(caller, `${method} of ${collection}`, found, table('edit', caller));
      }
    });

    if (member === 'venue') {
      test('EV-LIST-34: geographic filters of events', async () => {
        for (const [channel, query] of [
          ['geoloc', ({ event: at }: Linked) => `include=${at}&geoloc=true`],
          ['distance', (record: Linked) => `geoloc_lat=${-10 - records.indexOf(record)}&geoloc_lng=-20`],
        ] as const) {
          const found = await ask(async (record) => (await get(`/events?${query(record)}`, caller)).body.total === 1);
          compare(caller, channel, found, table('embedded', caller));
        }
        const without = await ask(async ({ event: at }) => {
          return (await get(`/events?include=${at}&geoloc=false`, caller)).body.total === 0;
        });
        compare(caller, 'no geoloc', without, table('embedded', caller));
      });
    }
  });
});

/**
 * Each caller is tested with 9 events an owner by 65 channels, 7 venues by 18 and 7 organizers by 15. A channel is one
 * kind of request. The whole matrix has 8 callers and 4 owners.
 */
test(`the matrix has ${isWhole ? '26,112' : '6,528'} cases`, () => {
  expect(CALLERS.length * OWNERS.length * (9 * 65 + 7 * 18 + 7 * 15)).toBe(isWhole ? 26_112 : 6528);
  expect(cases).toBe(isWhole ? 26_112 : 6528);
});
