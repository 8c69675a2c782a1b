import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { operationOf } from '../../src/platform/http/operation.js';
import { RouteTable } from '../../src/platform/http/route-table.js';
import { startApp, type TestApp } from '../support/app.js';

const RECORD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const COLLECTION = ['GET', 'POST'];

/** The table of contract 1.1, in the order of the index. */
const ROUTES: [path: string, methods: string[]][] = [
  ['', ['GET']],
  ['/doc', ['GET']],
  ...['events', 'venues', 'organizers'].flatMap((collection): [string, string[]][] => [
    [`/${collection}`, COLLECTION],
    [`/${collection}/:id`, RECORD],
    [`/${collection}/by-slug/:slug`, RECORD],
  ]),
  ...['categories', 'tags'].flatMap((collection): [string, string[]][] => [
    [`/${collection}`, COLLECTION],
    [`/${collection}/:id`, RECORD],
  ]),
];

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

test('contract 1.1: there are these routes with these methods, and no others', () => {
  const routes = service.app.get(RouteTable).all();
  expect(routes.map(({ path, methods }) => [path, methods])).toEqual(ROUTES);
});

test('every handler below the mounts says what operation it is', () => {
  const discovery = service.app.get(DiscoveryService, { strict: false });
  for (const { metatype } of discovery.getControllers()) {
    const { name, prototype } = metatype as { name: string; prototype: Record<string, object> };
    if (name === 'SiteController') continue;
    for (const member of Object.getOwnPropertyNames(prototype)) {
      const handler = prototype[member] as object;
      if (Reflect.getMetadata(METHOD_METADATA, handler) === undefined) continue;
      expect([name, member, operationOf(handler)?.id]).toEqual([name, member, expect.any(String)]);
    }
  }
});

test('DOC-05: operation ids are those of the contract', () => {
  const ids = service.app
    .get(RouteTable)
    .all()
    .flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const noun of ['Event', 'Venue', 'Organizer']) {
    const expected = [`list${noun}s`, `create${noun}`].concat(
      ['get', 'update', 'delete'].flatMap((verb) => [`${verb}${noun}`, `${verb}${noun}BySlug`]),
    );
    expect(ids).toEqual(expect.arrayContaining(expected));
  }
});
