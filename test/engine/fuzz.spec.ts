import { Agent } from 'node:http';
import { Database } from '../../src/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client, type Reply, type Sent } from '../support/client.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { type Documented, hostile, plausible, text } from '../support/hostile.js';
import { Random } from '../support/random.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents of every shape

const isServer = (process.env.DATABASE_URL ?? '').startsWith('mysql:');
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
/** Nightly there are more. A database server takes longer to commit than a file. */
const USUAL_REQUESTS = isServer ? 2000 : 5000;
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? USUAL_REQUESTS);
const AT_ONCE = 4;
/** Records of each resource that exist before the run. */
const RECORDS = 40;
/** Editors and administrators are listed twice because more of their requests succeed. */
const CALLERS = ['anon', 'sub', 'con', 'aut', 'edi', 'edi', 'adm', 'adm'] as const;
const MOUNTS = [
  '/calendar/events/v1',
  '/de/calendar/events/v1',
  '/wp-json/tribe/events/v1',
  '/fr/wp-json/tribe/events/v1',
];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly (Documented & { readonly in: string })[];
  readonly body: readonly Documented[];
  readonly required: readonly string[];
}

interface Planned {
  readonly target: string;
  readonly caller: (typeof CALLERS)[number];
  readonly sent: Sent;
}

let service: TestApp;
let client: Client;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
/** Each failed request with its reason. */
const failures: string[] = [];
const statuses = new Map<number, number>();

beforeAll(async () => {
  service = await startApp({ FAILED_ATTEMPTS: '1000000' });
  const { tokens } = service;
  client = new Client(service.client.port, service.client.mount, { agent });
  for (let number = 1; number <= RECORDS; number += 1) {
    const token = [tokens.adm, tokens.aut, tokens.con][number % 3] as string;
    const status = ['publish', 'draft', 'private', 'publish', 'pending'][number % 5];
    const linked = { venue: { venue: `Inner ${number}` }, organizer: { organizer: `Inner ${number}` } };
    const { id } = await event(client, token, { title: `T ${number}`, status, ...linked });
    await client.put(`/events/${id as number}`, { categories: 'One,Two', tags: 'Three' }, tokens.adm);
    await venue(client, token, { venue: 'Hall', phone: String(number), status });
    await organizer(client, token, { phone: String(number), status });
    const term = number % 2 === 0 ? tag : category;
    await term(client, tokens.adm, { name: `Term ${number}` });
  }
  await client.put('/events/1', { categories: '1,3', tags: '2', password: 'sesame' }, tokens.adm);
  await run(planned(new Random(SEED), operationsOf((await client.get('/doc')).body)));
}, 600_000);

afterAll(async () => {
  agent.destroy();
  await service.close();
});

function operationsOf(doc: Json): Operation[] {
  return Object.entries<Json>(doc.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json'].schema;
      return {
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters.map((parameter: Json) => ({ ...parameter.schema, ...parameter })),
        body: Object.entries<Json>(schema?.properties ?? {}).map(([name, property]) => ({ ...property, name })),
        required: schema?.required ?? [],
      };
    }),
  );
}

/** Generates the requests from the seed alone, not from responses, so that a seed repeats a run. */
function* planned(random: Random, operations: readonly Operation[]): Generator<Planned> {
  for (let count = 0; count < REQUESTS;) {
    const operation = random.pick(operations);
    // Most requests for /doc are skipped because the document is large and tests little else.
    if (operation.path === '/doc' && random.chance(0.95)) continue;
    // Most deletions are skipped so that enough records remain.
    if (operation.method === 'DELETE' && random.chance(0.85)) continue;
    count += 1;
    yield plan(random, operation);
  }
}

function plan(random: Random, operation: Operation): Planned {
  const { method, path } = operation;
  const filled = path.replace('{id}', () => idText(random)).replace('{slug}', () => slugText(random));
  const query = queryText(random, operation);
  const target = `${random.pick(MOUNTS)}${filled === '/' ? '' : filled}${query === '' ? '' : `?${query}`}`.slice(
    0,
    12_000,
  );
  const body = operation.body.length === 0 && random.chance(0.9) ? {} : bodyOf(random, operation);
  const sent = { method: random.chance(0.02) ? random.pick(['HEAD', 'OPTIONS', 'PUT']) : method, ...body };
  return {
    target,
    caller: random.pick(CALLERS),
    sent: { ...sent, headers: { ...headersOf(random), ...body.headers } },
  };
}

const idText = (random: Random) =>
  random.chance(0.85)
    ? String(random.chance(0.8) ? random.between(1, RECORDS) : random.between(1, REQUESTS / 100))
    : random.pick([
        '0',
        '1abc',
        '%31',
        '18446744073709551616',
        '1%20or%201=1',
        '%D9%A1',
        '-1',
        '1.0',
        '+1',
        '%00',
        '1%2F1',
      ]);

const SLUGS = [
  't-1',
  't-2',
  't-3',
  't-4',
  't-5',
  't-2__trashed',
  'hall',
  'hall-2',
  'hall-3',
  'ann',
  'ann-3',
  'inner-1',
  'party',
];
const slugText = (random: Random) => {
  if (random.chance(0.8)) return random.pick(SLUGS);
  return random.chance(0.3)
    ? random.pick(['%E0%A4%A', '%', '%ff', 'a%2Fb', '%00', '..', '%'])
    : encoded(text(random)) || 'x';
};

/** Accepts any value, and lone surrogates, for which encodeURIComponent throws. */
function encoded(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed()).slice(0, 6000);
}

function queryText(random: Random, { parameters, method }: Operation): string {
  const share = random.pick([0, 0.05, 0.2]);
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && random.chance(share))
    .flatMap((parameter) => pairOf(random, parameter));
  if (method === 'DELETE' && random.chance(0.4)) pairs.push('force=true');
  if (random.chance(0.1))
    pairs.push(random.pick(['&', '_cb=1', '%', '=', '[]', 'a[b][c][d][e][f][g]=1', '__proto__[x]=1', '%ff=1']));
  if (method === 'GET' && random.chance(0.05))
    pairs.push(`_fields=${random.pick(['id', 'total', 'events.id', '%00', 'a.b.c', '.', ','])}`);
  return pairs.join('&');
}

/** Three of four values are plausible, so that requests with several values can succeed. */
function valueOf(random: Random, parameter: Documented): unknown {
  return random.chance(0.75) ? plausible(random, parameter) : hostile(random);
}

function pairOf(random: Random, parameter: Documented): string[] {
  const value = valueOf(random, parameter);
  const { name } = parameter;
  if (random.chance(0.05))
    return [`${name}=${random.pick(['%', '%zz', '%ff', '%C0%80', '%ED%A0%80', '%00', '%u0041', '+'])}`];
  if (Array.isArray(value)) {
    const items = value
      .slice(0, 150)
      .map((item, index) => `${name}${random.pick(['[]', `[${index}]`, ''])}=${encoded(item)}`);
    return random.chance(0.5) ? items : [`${name}=${value.map(encoded).join(',')}`];
  }
  if (random.chance(0.05)) return [`${name}[${random.pick(['', '0', 'a', '__proto__', '%00'])}]=${encoded(value)}`];
  return [`${name}=${encoded(value)}`];
}

/** Returns a body as JSON, as a form, or as neither. */
function bodyOf(random: Random, operation: Operation): Pick<Sent, 'body' | 'headers'> {
  const share = random.pick([0, 0.1, 0.3]);
  const fields = operation.body
    .filter(({ name }) => random.chance(operation.required.includes(name) ? 0.97 : share))
    .map((field) => [field.name, valueOf(random, field)] as const);
  if (random.chance(0.05)) return { body: random.pick(NO_BODIES), headers: random.pick(TYPES) };
  const values = Object.fromEntries(random.chance(0.1) ? [...fields, [random.pick(STRANGE), hostile(random)]] : fields);
  if (random.chance(0.8)) return { body: values };
  const form = Object.entries(values).flatMap(([name, value]) => pairOf(random, { name, enum: [value as string] }));
  return { body: form.join('&'), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

const STRANGE = ['__proto__', 'constructor', 'id', 'url', '', 'password', 'force', 'toString', 'a.b', '\0'];
const NO_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"title":"\\ud800"}',
  '{"title":1e999}',
  '{"title":"a","title":{}}',
  '['.repeat(3000) + ']'.repeat(3000),
  `{"a":${'['.repeat(70)}${']'.repeat(70)}}`,
  `[${'1,'.repeat(10_001)}1]`,
  Buffer.from([0x7b, 0xff, 0x7d]),
  Buffer.from('﻿{}'),
  'a=1&'.repeat(1001),
  '<?xml version="1.0"?>',
];
const TYPES: readonly Record<string, string>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': '' },
];

function headersOf(random: Random): Record<string, string> {
  const all = [
    ['if-match', ['*', '"1-x"', 'W/"2-"', 'x', '""', '"99999999999999999999-a"']],
    ['if-none-match', ['*', '"x"', ',,,']],
    ['idempotency-key', ['k1', 'k2', 'with blank', 'x'.repeat(256)]],
    ['accept-language', ['de', 'fr;q=0.5, en', ';;;', '*', 'x'.repeat(1000)]],
    ['accept', ['text/html', '*/*', 'application/json', ';q=']],
    ['origin', ['https://evil.example', 'null', '']],
    ['access-control-request-method', ['POST']],
    ['x-forwarded-host', ['evil.example']],
    ['x-http-method-override', ['DELETE']],
    ['authorization', ['Bearer nonsense', 'Basic Og==', 'Basic %%%', 'Digest x', 'Bearer', '']],
  ] as const;
  const chosen = all.filter(() => random.chance(0.015)).map(([name, values]) => [name, random.pick<string>(values)]);
  return Object.fromEntries(chosen) as Record<string, string>;
}

async function run(requests: Iterable<Planned>): Promise<void> {
  const queue = requests[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true && failures.length < 10; next = queue.next())
      await send(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function send({ target, caller, sent }: Planned): Promise<void> {
  const token = caller === 'anon' ? undefined : service.tokens[caller];
  try {
    const reply = await client.raw(target, { token, ...sent });
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const problem = problemOf(reply, sent.method ?? 'GET');
    if (problem !== undefined) throw new Error(`${problem}: ${reply.status} ${reply.text}`);
  } catch (error) {
    const { headers, body } = sent;
    const request = `${caller} ${sent.method} ${target} ${JSON.stringify({ headers, body })}`;
    failures.push(`${request.slice(0, 4000)}\n  → ${String(error).slice(0, 1000)}`);
  }
}

/** Returns what is wrong with a response. The client has already compared it with the OpenAPI document. */
function problemOf({ status, text: sent, body, headers }: Reply, method: string): string | undefined {
  if (status >= 500) return 'the service failed';
  const isBare = method === 'HEAD' || status === 304 || status === 204;
  if (isBare) return sent === '' ? undefined : 'a body where there is none';
  const isText = /^text\/(html|calendar);/.test(headers['content-type'] ?? '');
  return isText || (typeof body === 'object' && body !== null) ? undefined : 'no JSON';
}

describe(`${REQUESTS} random requests (FUZZ_SEED=${SEED})`, () => {
  test('cause no failure, and every response matches the OpenAPI document', () => {
    expect({ seed: SEED, failures }).toEqual({ seed: SEED, failures: [] });
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  });

  test('cover successful reads and writes, and every kind of rejection', () => {
    for (const status of [200, 201, 400, 401, 403, 404, 405, 412, 413, 415]) {
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true]);
    }
    // In a longer run more requests name deleted records, so that a smaller share succeeds.
    const least = Math.min(REQUESTS, USUAL_REQUESTS) / 6;
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(least);
  });

  test('the service still creates and lists records afterwards', async () => {
    const { tokens } = service;
    expect((await event(client, tokens.adm, { title: 'Afterwards' })).title).toBe('Afterwards');
    for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
      for (const token of [undefined, tokens.con, tokens.adm]) {
        expect((await client.get(`/${collection}`, token)).status).toBe(200);
      }
    }
  });

  test.each(['events', 'venues', 'organizers'])('every record of /%s can be read', async (collection) => {
    const { tokens } = service;
    const ids = await idsIn(collection);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      const { status, body } = await client.get(`/${collection}/${id}`, tokens.adm);
      expect([status, body.id]).toEqual([200, id]);
    }
  });

  test.each(['categories', 'tags'])('every term of /%s can be listed', async (collection) => {
    const { body } = await client.get(`/${collection}?hide_empty=no&per_page=100`, service.tokens.adm);
    const taxonomy = collection === 'tags' ? 'post_tag' : 'tribe_events_cat';
    expect(await count(`terms WHERE taxonomy = '${taxonomy}'`)).toBe(body.total);
  });

  const POSTS = ['events', 'venues', 'organizers'];
  const LINKS = [
    ['event_venues', 'venue_id', 'venues'],
    ['event_organizers', 'organizer_id', 'organizers'],
    ['event_terms', 'term_id', 'terms'],
  ];

  /** Inconsistent rows, which no write may leave behind. */
  const HALF_WRITTEN: [what: string, rows: string][] = [
    ...LINKS.flatMap(([table, column, linked]): [string, string][] => [
      [`${table} of no event`, `${table} l WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.id = l.event_id)`],
      [`${table} to nothing`, `${table} l WHERE NOT EXISTS (SELECT 1 FROM ${linked} r WHERE r.id = l.${column})`],
    ]),
    ...POSTS.flatMap((table): [string, string][] => [
      [`${table} under the slug of the moment of their creation`, `${table} WHERE slug = '' OR slug LIKE '?%'`],
      [
        `${table} that are trash and know not whence, or the other way round`,
        `${table} WHERE (status = 'trash') <> (trashed_from IS NOT NULL)`,
      ],
      [
        `${table} in the trash without the slug to come back to`,
        `${table} WHERE (status = 'trash') <> (restore_slug IS NOT NULL)`,
      ],
      [
        `${table} that are public by their status or their date alone`,
        `${table} WHERE (status IN ('publish', 'future')) <> (public_from IS NOT NULL)`,
      ],
      [
        `${table} that are public from another moment than their date`,
        `${table} WHERE public_from IS NOT NULL AND public_from <> date_utc`,
      ],
      [`${table} without revision`, `${table} WHERE revision < 1`],
      [`${table} of no author`, `${table} p WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.author_id)`],
      [
        `${table} with an image that is not there`,
        `${table} p WHERE p.image_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM images i WHERE i.id = p.image_id)`,
      ],
      [
        `${table} in no status`,
        `${table} WHERE status NOT IN ('publish', 'future', 'draft', 'pending', 'private', 'trash')`,
      ],
      [
        `${table} whose creation is not recorded`,
        `${table} p WHERE (SELECT COUNT(*) FROM changes c WHERE c.record_id = p.id AND c.kind = '${table.slice(0, -1)}.created') <> 1`,
      ],
      [
        `${table} with fewer changes than revisions`,
        `${table} p WHERE p.revision > (SELECT COUNT(*) FROM changes c WHERE c.record_id = p.id AND c.kind LIKE '${table.slice(0, -1)}.%')`,
      ],
    ]),
    ['events that end before they start', 'events WHERE end_utc < start_utc'],
    ['events without title', "events WHERE title = ''"],
    ['venues and organizers without name', "venues WHERE title = ''"],
    [
      'events below what is not there',
      'events e WHERE e.post_parent <> 0 AND NOT EXISTS (SELECT 1 FROM events p WHERE p.id = e.post_parent)',
    ],
    [
      'terms below what is not there',
      'terms t WHERE t.parent <> 0 AND NOT EXISTS (SELECT 1 FROM terms p WHERE p.id = t.parent AND p.taxonomy = t.taxonomy)',
    ],
    ['tags below others', "terms WHERE taxonomy = 'post_tag' AND parent <> 0"],
    [
      'terms whose creation is not recorded',
      "terms t WHERE (SELECT COUNT(*) FROM changes c WHERE c.record_id = t.id AND c.kind IN ('category.created', 'tag.created')) <> 1",
    ],
    ['venues with half a place', 'venues WHERE (geo_lat IS NULL) <> (geo_lng IS NULL)'],
    ['changes beyond the last commit', 'changes WHERE seq > (SELECT version FROM data_version)'],
    ['passwords of nothing', "events WHERE password_hash = ''"],
  ];

  test('leave no inconsistent rows', async () => {
    const found: [string, number][] = [];
    for (const [what, rows] of HALF_WRITTEN) found.push([what, await count(rows)]);
    expect(found).toEqual(HALF_WRITTEN.map(([what]) => [what, 0]));
  });

  const count = async (rows: string) => {
    const [{ found } = { found: -1 }] = await service.app
      .get(Database)
      .query<{ found: number }>(`SELECT COUNT(*) AS found FROM ${rows}`);
    return Number(found);
  };

  const idsIn = async (table: string) => {
    const rows = await service.app.get(Database).query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id LIMIT 500`);
    return rows.map(({ id }) => Number(id));
  };
});
