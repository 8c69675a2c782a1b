import { Ajv } from 'ajv';
import { stringify } from 'qs';
import { MOMENT, SEED_PARAMETERS } from '../conformance/seed-parameters.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents of every shape

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const SCHEMAS = ['Event', 'Venue', 'Organizer', 'Term', 'Image', 'ImageSize', 'DateDetails', 'CostDetails', 'Error'];

/** The routes of the papers beside the contract, behind its own: ical, changes, webhooks (DOC-01, DOC-05). */
const FURTHER = [
  ...['/events.ics', '/events/{id}.ics', '/events/by-slug/{slug}.ics', '/changes'],
  ...[
    '',
    '/{id}',
    '/{id}/rotate',
    '/{id}/test',
    '/{id}/replay',
    '/{id}/messages',
    '/{id}/messages/{message}/resend',
  ].map((rest) => `/webhooks${rest}`),
];
const keyOf = (path: string) => path.replace('{id}', '(?P<id>\\d+)').replace(/\{(slug|message)\}/, '(?P<$1>[^/]+)');

let service: TestApp;
let index: Json;
let doc: Json;
beforeAll(async () => {
  service = await startApp();
  index = (await service.client.get('')).body;
  doc = (await service.client.get('/doc')).body;
});
afterAll(() => service.close());

const origin = () => `http://127.0.0.1:${service.client.port}`;
const operations = () =>
  Object.entries(doc.paths).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  );

/** Yields the values of all members of this name, at any depth. */
function* membersNamed(name: string, value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === name) yield member;
    yield* membersNamed(name, member);
  }
}

describe('GET {root}', () => {
  const keysOf = (namespace: string) => {
    const record = ['', '/(?P<id>\\d+)', '/by-slug/(?P<slug>[^/]+)'];
    return [
      '',
      '/doc',
      ...['events', 'venues', 'organizers'].flatMap((collection) => record.map((rest) => `/${collection}${rest}`)),
      ...['categories', 'tags'].flatMap((collection) => record.slice(0, 2).map((rest) => `/${collection}${rest}`)),
      ...FURTHER.map(keyOf),
    ].map((path) => `/${namespace}${path}`);
  };

  test('DOC-01: returns the namespace, 15 routes in order and the URL of the parent', async () => {
    expect(Object.keys(index)).toEqual(['namespace', 'routes', '_links']);
    expect(index.namespace).toBe('calendar/events/v1');
    expect(Object.keys(index.routes)).toEqual(keysOf('calendar/events/v1'));
    expect(index._links).toEqual({ up: [{ href: `${origin()}/` }] });
    expect((await service.client.get('?namespace=x&context=y')).body).toEqual(index);
    expect((await service.client.get('?namespace[]=x&context=&_fields=routes')).body).toEqual(index);
  });

  test('DOC-02: returns the namespace and keys of the compat mount on that mount', async () => {
    const { body } = await service.client.raw('/wp-json/tribe/events/v1');
    expect(body.namespace).toBe('tribe/events/v1');
    expect(Object.keys(body.routes)).toEqual(keysOf('tribe/events/v1'));
    expect(body._links.up).toEqual([{ href: `${origin()}/wp-json/` }]);
    expect(body.routes['/tribe/events/v1/events']._links.self).toEqual([
      { href: `${origin()}/wp-json/tribe/events/v1/events` },
    ]);
    const german = (await service.client.raw('/de/wp-json/tribe/events/v1')).body;
    expect([german.namespace, german._links.up[0].href]).toEqual(['tribe/events/v1', `${origin()}/de/wp-json/`]);
  });

  test('DOC-03: has one endpoint per group of methods', () => {
    for (const [key, route] of Object.entries<Json>(index.routes)) {
      const groups = route.endpoints.map(({ methods }: Json) => methods);
      if (/\(\?P.*\)$/.test(key)) expect(groups).toEqual([['GET'], ['POST', 'PUT', 'PATCH'], ['DELETE']]);
      expect(route.methods).toEqual(groups.flat());
      expect('_links' in route).toBe(!key.includes('(?P'));
      expect(route.namespace).toBe('calendar/events/v1');
    }
    expect(index.routes['/calendar/events/v1/doc'].endpoints).toEqual([{ methods: ['GET'], args: {} }]);
  });

  const rows = Object.entries(SEED_PARAMETERS).flatMap(([path, kinds]) =>
    Object.entries(kinds).map(([method, parameters]) => [method, path, parameters] as const),
  );
  test.each(rows)('DOC-03: the args of %s %s match the seed parameters', (method, path, parameters) => {
    const key = `/calendar/events/v1${keyOf(path)}`;
    const { args } = index.routes[key].endpoints.find(({ methods }: Json) => methods.includes(method));
    for (const { name, type, default: byDefault, required } of parameters) {
      const argument = args[name];
      expect([name, argument?.type, argument?.required]).toEqual([name, type, required]);
      if (byDefault === MOMENT) expect(argument.default).toMatch(DATE_TIME);
      else expect([name, argument.default]).toEqual([name, byDefault]);
      expect([name, argument.items]).toEqual([name, type === 'array' ? { type: 'integer' } : undefined]);
      expect(argument.description).toEqual(expect.any(String));
    }
    if (path.includes('{id}')) expect(args.id).toMatchObject({ type: 'integer', required: true });
    const optional = method === 'POST' && path === '/events/by-slug/{slug}';
    if (path.includes('{slug}')) expect(args.slug).toMatchObject({ type: 'string', required: !optional });
  });
});

describe('GET {root}/doc', () => {
  test('DOC-04: returns an OpenAPI 3.0 document for the requested base URL', async () => {
    expect(Object.keys(doc)).toEqual(['openapi', 'info', 'components', 'servers', 'paths']);
    expect(doc.openapi).toMatch(/^3\.0\.\d$/);
    expect(doc.info).toMatchObject({ title: 'Kalends', version: '0.2.0', description: expect.any(String) });
    expect(doc.servers).toEqual([{ url: `${origin()}/calendar/events/v1` }]);
    expect(Object.keys(doc.components.schemas)).toEqual(SCHEMAS);
    expect(Object.keys(doc.components.securitySchemes)).toEqual(['bearer', 'basic']);
    const { body } = await service.client.raw('/fr/wp-json/tribe/events/v1/doc');
    expect(body.servers).toEqual([{ url: `${origin()}/fr/wp-json/tribe/events/v1` }]);
  });

  test('DOC-04: the Vary header names Accept-Language, because the language is negotiated', async () => {
    const { headers } = await service.client.get('/doc');
    expect(headers.vary).toBe('Authorization, Accept, Accept-Language, Accept-Encoding');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  test('DOC-05: contains every route and method, each with a unique operationId', () => {
    const verbs = (path: string) => Object.keys(doc.paths[path]).sort();
    const known = Object.keys(SEED_PARAMETERS).map((path) => path || '/');
    expect(Object.keys(doc.paths)).toEqual([...known, ...FURTHER]);
    for (const path of known) {
      if (path.includes('{')) expect(verbs(path)).toEqual(['delete', 'get', 'patch', 'post', 'put']);
      else expect(verbs(path)).toEqual(path === '/' || path === '/doc' ? ['get'] : ['get', 'post']);
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['listEvents', 'getEventBySlug', 'updateEvent', 'updateEventPost']));
    expect(doc.paths['/venues/{id}'].put.operationId).toBe('updateVenuePut');
  });

  const rows = Object.entries(SEED_PARAMETERS).flatMap(([path, kinds]) =>
    Object.entries(kinds).flatMap(([kind, parameters]) =>
      (kind === 'POST' && path.includes('{') ? ['post', 'put', 'patch'] : [kind.toLowerCase()]).map(
        (method) => [method, path || '/', parameters] as const,
      ),
    ),
  );
  test.each(rows)(
    'DOC-06: %s %s has every parameter of the seed, with type and default',
    (method, path, parameters) => {
      const operation = doc.paths[path][method];
      const contents = operation.requestBody === undefined ? [] : Object.values<Json>(operation.requestBody.content);
      if (contents.length > 0) {
        expect(Object.keys(operation.requestBody.content)).toEqual([
          'application/json',
          'application/x-www-form-urlencoded',
        ]);
        const required = parameters.filter((parameter) => parameter.required);
        expect(contents[0].schema.required ?? []).toEqual(required.map(({ name }) => name));
      }
      for (const { name, type, default: byDefault } of parameters) {
        const documented = (operation.parameters as Json[]).find((parameter) => parameter.name === name);
        const schemas =
          documented === undefined ? contents.map(({ schema }) => schema.properties[name]) : [documented.schema];
        expect(schemas.length).toBeGreaterThan(0);
        for (const schema of schemas) {
          expect([name, schema?.type]).toEqual([name, type]);
          if (byDefault === MOMENT) expect(schema.default).toMatch(DATE_TIME);
          else expect([name, schema.default]).toEqual([name, byDefault]);
          // Where names or objects are accepted, too, the id is the first alternative.
          if (type === 'array') expect(schema.items.anyOf?.[0] ?? schema.items).toEqual({ type: 'integer' });
          expect(documented?.description ?? schema.description).toEqual(expect.any(String));
        }
      }
    },
  );

  describe('DOC-06: the document is well-formed', () => {
    const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
    const OPERATION = [
      'operationId',
      'summary',
      'description',
      'parameters',
      'requestBody',
      'responses',
      'callbacks',
      'security',
      'tags',
    ];

    test('every reference resolves, and every component is used', () => {
      const found = new Set(membersNamed('$ref', doc));
      for (const reference of found) {
        const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference as string) ?? [];
        expect(Object.keys(doc.components.schemas)).toContain(name);
      }
      for (const name of SCHEMAS) expect(found).toContain(`#/components/schemas/${name}`);
    });

    test('every operation has the required members and no unknown ones', () => {
      for (const { path, method, operation } of operations()) {
        expect(METHODS).toContain(method);
        expect([path, method, Object.keys(operation as object).filter((key) => !OPERATION.includes(key))]).toEqual([
          path,
          method,
          [],
        ]);
        expect(operation.summary).toEqual(expect.any(String));
        expect([path, method, operation.description]).toEqual([path, method, expect.stringMatching(/\.$/)]);
        expect(Object.keys(operation.responses as object).some((status) => /^20[012]$/.test(status))).toBe(true);
      }
    });

    test('every path parameter is declared, and every parameter only once', () => {
      for (const { path, operation } of operations()) {
        const declared = (operation.parameters as Json[]).filter((parameter) => parameter.in === 'path');
        expect(declared.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
        expect(declared.every(({ required }) => required === true)).toBe(true);
        const names = (operation.parameters as Json[]).map((parameter) => `${parameter.in} ${parameter.name}`);
        expect(new Set(names).size).toBe(names.length);
        for (const parameter of operation.parameters) {
          expect(['query', 'path', 'header']).toContain(parameter.in);
          expect(parameter.schema).toEqual(expect.any(Object));
        }
      }
    });

    test('types are OpenAPI types, arrays have items, and required members exist', () => {
      for (const schema of [...membersNamed('schema', doc), ...Object.values<Json>(doc.components.schemas)]) {
        for (const type of membersNamed('type', schema)) {
          if (typeof type === 'string') {
            expect(['string', 'integer', 'number', 'boolean', 'array', 'object']).toContain(type);
          }
        }
        if (schema.type === 'array') expect(schema.items).toEqual(expect.any(Object));
        for (const name of schema.required ?? []) expect(Object.keys(schema.properties)).toContain(name);
      }
    });

    test('every response has a description, and every error has examples with its status', () => {
      for (const { path, method, operation } of operations()) {
        for (const [status, answer] of Object.entries<Json>(operation.responses)) {
          expect(answer.description).toEqual(expect.any(String));
          if (Number(status) < 400) continue;
          const { schema, examples } = answer.content['application/json'];
          expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
          for (const [code, { value }] of Object.entries<Json>(examples)) {
            expect([path, method, value.code, value.data.status]).toEqual([path, method, code, Number(status)]);
            expect(value.message).not.toMatch(/[{}]|undefined/);
          }
        }
      }
    });

    test('every write says that its Idempotency-Key may be wrong', () => {
      const writes = operations().filter(({ operation }) =>
        operation.parameters?.some(({ name }: Json) => name === 'Idempotency-Key'),
      );
      const found = writes.filter(
        ({ operation }) =>
          'rest_invalid_param' in (operation.responses['400']?.content['application/json'].examples ?? {}),
      );
      expect(writes.length).toBeGreaterThan(20);
      expect(found).toHaveLength(writes.length);
    });

    test('writes require credentials, reads accept them', () => {
      for (const { method, operation } of operations()) {
        const needed = [{ bearer: [] }, { basic: [] }];
        expect(operation.security).toHaveLength(method === 'get' ? 3 : 2);
        expect(operation.security).toEqual(expect.arrayContaining(method === 'get' ? [{}, ...needed] : needed));
      }
    });
  });

  describe('DOC-06: examples', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const validates = (schema: Json, value: Json) => {
      const all = { ...schema, components: { schemas: doc.components.schemas } };
      const check = ajv.compile(all as object);
      return check(value) ? null : check.errors;
    };
    const isFailure = (status: string) => Number(status) >= 400;

    test('every parameter and every field has a valid example', () => {
      for (const { path, method, operation } of operations()) {
        const fields = Object.entries<Json>(operation.requestBody?.content['application/json'].schema.properties ?? {});
        const shown = [
          ...(operation.parameters as Json[]).map(({ name, schema }) => [name, schema, schema.example]),
          ...fields.map(([name, schema]) => [name, schema, schema.example]),
        ];
        for (const [name, schema, example] of shown) {
          expect([path, method, name, typeof example]).not.toEqual([path, method, name, 'undefined']);
          expect([path, method, name, validates(schema, example)]).toEqual([path, method, name, null]);
        }
      }
    });

    test('every successful response has an example that matches its schema', () => {
      for (const { path, method, operation } of operations()) {
        for (const [status, { content }] of Object.entries<Json>(operation.responses)) {
          if (isFailure(status) || content?.['application/json'] === undefined) continue;
          const { schema, example } = content['application/json'];
          expect([path, method, status, validates(schema, example)]).toEqual([path, method, status, null]);
          if (!['/', '/doc', '/webhooks/{id}/replay'].includes(path))
            expect(Object.keys(example as object).length).toBeGreaterThan(1);
        }
      }
    });

    test('example bodies are accepted unchanged in both media types', async () => {
      const { client, tokens } = service;
      const send = (method: string, path: string, body: unknown) =>
        client.send(path, { method, body, token: tokens.adm });
      for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
        const [creates, updates] = [doc.paths[`/${collection}`].post, doc.paths[`/${collection}/{id}`].patch];
        const bodies = (operation: Json, type: string): [string, Json][] =>
          Object.entries<Json>(operation.requestBody.content[type].examples).map(([name, { value }]) => [name, value]);
        expect(bodies(creates, 'application/json')).toEqual(bodies(creates, 'application/x-www-form-urlencoded'));
        expect(bodies(creates, 'application/json').map(([name]) => name)).toEqual(['full', 'short']);
        for (const [name, body] of bodies(creates, 'application/json')) {
          const made = await send('POST', `/${collection}`, body);
          expect([collection, name, made.status]).toEqual([collection, name, 201]);
          for (const [change, changed] of bodies(updates, 'application/json')) {
            const { status } = await send('PATCH', `/${collection}/${made.body.id}`, changed);
            expect([collection, change, status]).toEqual([collection, change, 200]);
          }
        }
        const form = new Client(client.port, client.mount);
        const [, full] = bodies(creates, 'application/x-www-form-urlencoded')[0] as [string, Json];
        const body = stringify({
          ...full,
          ...(collection === 'categories' || collection === 'tags' ? { name: 'Other', slug: 'other' } : {}),
        });
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const sent = await form.send(`/${collection}`, { method: 'POST', body, headers, token: tokens.adm });
        expect([collection, [200, 201].includes(sent.status)]).toEqual([collection, true]);
      }
    });
  });

  describe('DOC-06: responses match their schemas', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    /** Returns a check of responses against the schema of an operation. It rejects undocumented members. */
    const checkOf = (path: string, method: string, status: number) => {
      const { schema } = doc.paths[path][method].responses[status].content['application/json'];
      const strict = JSON.parse(
        JSON.stringify({ ...schema, components: { schemas: doc.components.schemas } }, (_, value: Json) => {
          const closed = value?.type === 'object' && value.properties && value.additionalProperties === undefined;
          return closed ? { ...value, additionalProperties: false } : value;
        }),
      );
      return ajv.compile(strict as object);
    };
    const expectDocumented = (path: string, method: string, { status, body }: { status: number; body: Json }) => {
      const check = checkOf(path, method, status);
      check(body);
      expect([path, method, status, check.errors]).toEqual([path, method, status, null]);
    };

    test('every component compiles', () => {
      const ajv = new Ajv({ strict: false });
      for (const name of SCHEMAS) {
        const schema = { ...doc.components.schemas[name], components: { schemas: doc.components.schemas } };
        expect(ajv.compile(schema as object)).toEqual(expect.any(Function));
      }
    });

    const EVENT = {
      title: 'All of it',
      start_date: '2027-03-10 10:00',
      end_date: '2027-03-10 12:00',
      image: 'https://example.com/a.jpg',
      cost: '10-20€',
      categories: ['Documented'],
      tags: ['Documented'],
      venue: [{ venue: 'Hall', geo_lat: 1, geo_lng: 2, image: 'https://example.com/b.jpg' }, { venue: 'Room' }],
      organizer: { organizer: 'Ann', email: 'ann@example.com' },
    };
    test.each([
      ['events', EVENT],
      ['events', { title: 'Bare', start_date: '2027-03-10', end_date: '2027-03-10' }],
      ['venues', { venue: 'Documented', city: 'Lyon', country: 'France', website: 'https://x.example' }],
      ['organizers', { organizer: 'Documented', phone: '1', description: 'x' }],
      ['categories', { name: 'Documented too', description: 'x' }],
      ['tags', { name: 'Documented too' }],
    ])('/%s', async (collection, fields) => {
      const { client, tokens } = service;
      const made = await client.post(`/${collection}`, fields, tokens.adm);
      expectDocumented(`/${collection}`, 'post', made);
      const path = `/${collection}/${made.body.id}`;
      expectDocumented(`/${collection}/{id}`, 'get', await client.get(path, tokens.adm));
      expectDocumented(`/${collection}/{id}`, 'put', await client.put(path, {}, tokens.adm));
      expectDocumented(`/${collection}`, 'get', await client.get(`/${collection}?per_page=1&hide_empty=no`));
      expectDocumented(`/${collection}`, 'post', await client.post(`/${collection}`, {}));
      expectDocumented(`/${collection}/{id}`, 'get', await client.get(`/${collection}/0`));
      expectDocumented(`/${collection}/{id}`, 'delete', await client.delete(`${path}?force=true`, tokens.adm));
    });

    test('the blanked members of a protected event', async () => {
      const { client, tokens } = service;
      const { body } = await client.post('/events', EVENT, tokens.adm);
      await client.put(`/events/${body.id}`, { password: 'hush' }, tokens.adm);
      const list = await client.get(`/events?include=${body.id}`);
      expect(list.body.events[0].featured).toBeNull();
      expectDocumented('/events', 'get', list);
      expectDocumented('/events/{id}', 'get', await client.get(`/events/${body.id}`));
    });
  });

  describe('DOC-08', () => {
    const isProse = (text: Json) => typeof text === 'string' && !/^(`[\w-]+`(, )?)+$/.test(text);
    /** Returns all human-readable texts, in the order of the document. */
    const prose = (document: Json) =>
      ['description', 'summary'].flatMap((name) => [...membersNamed(name, withoutValues(document))].filter(isProse));
    const withoutValues = (document: Json): Json =>
      JSON.parse(
        JSON.stringify(document, (key, value: Json) => (/^(example|value|default)$/.test(key) ? undefined : value)),
      );
    const silenced = (document: Json): Json =>
      JSON.parse(
        JSON.stringify(document, (key, value: Json) => {
          const words = (key === 'description' || key === 'summary') && typeof value === 'string';
          return words || key === 'servers' || key === 'href' ? undefined : value;
        }),
      );

    test.each(['de', 'fr'])(
      '/%s: descriptions are translated, otherwise the document is the same',
      async (language) => {
        for (const [path, english] of [
          ['/doc', doc],
          ['', index],
        ]) {
          const { status, body } = await service.client.raw(`/${language}${service.client.mount}${path}`);
          expect(status).toBe(200);
          expect(silenced(body)).toEqual(silenced(english));
          const translated = prose(body);
          const untranslated = prose(english).filter((text, place) => text === translated[place]);
          expect([...new Set(untranslated)]).toEqual([]);
        }
      },
    );

    test('Accept-Language selects the language on the mount without one', async () => {
      const { body } = await service.client.send('/doc', { headers: { 'accept-language': 'es, de;q=0.9, en;q=0.8' } });
      expect(body.paths['/events'].get.summary).toBe('Termine auflisten');
      expect((await service.client.send('/doc', { headers: { 'accept-language': 'es' } })).body).toEqual(doc);
    });
  });
});
