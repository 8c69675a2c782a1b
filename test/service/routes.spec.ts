import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import type { Express, Request } from 'express';
import { operationOf } from '../../src/platform/http/operation.js';
import { RouteTable } from '../../src/platform/http/routing/route-table.js';
import { startApp, type TestApp } from '../support/app.js';

const RECORD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const COLLECTION = ['GET', 'POST'];

/** The table of contract 1.1, in the order of the index, and the changes behind it (CHG-28). */
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
  // Behind those of the contract: the routes of ical 1.
  ['/events.ics', ['GET']],
  ['/events/:id.ics', ['GET']],
  ['/events/by-slug/:slug.ics', ['GET']],
  ['/changes', ['GET']],
  // Webhooks section 1.
  ['/webhooks', COLLECTION],
  ['/webhooks/:id', RECORD],
  ['/webhooks/:id/rotate', ['POST']],
  ['/webhooks/:id/test', ['POST']],
  ['/webhooks/:id/replay', ['POST']],
  ['/webhooks/:id/messages', ['GET']],
  ['/webhooks/:id/messages/:message/resend', ['POST']],
];

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

test('contract 1.1: the routes and their methods are exactly those of the contract', () => {
  const routes = service.app.get(RouteTable).all();
  expect(routes.map(({ path, methods }) => [path, methods])).toEqual(ROUTES);
});

test('every handler below the mounts has an operation id', () => {
  const discovery = service.app.get(DiscoveryService, { strict: false });
  for (const { metatype } of discovery.getControllers()) {
    const { name, prototype } = metatype as { name: string; prototype: Record<string, object> };
    if (name === 'PagesController') continue;
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

test('the route table calls the handlers of the service without Express', async () => {
  const adapter = service.app.getHttpAdapter();
  const express = adapter.getInstance() as Express & { handle: (...args: unknown[]) => unknown };
  const { handle } = express;
  const seen: string[] = [];
  express.handle = (...args) => {
    seen.push((args[0] as Request).url);
    return handle.apply(express, args);
  };
  for (const [path, methods] of ROUTES) {
    for (const method of methods) {
      const sent = path.replace(':id', '1').replace(':slug', 'one');
      const { body } = await service.client.send(sent, { method, body: method === 'GET' ? undefined : {} });
      expect([method, path, body?.code]).not.toEqual([method, path, 'rest_no_route']);
    }
  }
  expect(seen).toEqual([]);
  const program = { headers: { Accept: 'application/json' } };
  expect((await service.client.raw('/event/one', program)).status).toBe(302);
  expect(seen).toEqual([]);
});
