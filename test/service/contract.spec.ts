import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type Reply } from '../support/client.js';
import { Contract } from '../support/contract.js';
import { useApp } from '../support/events.js';
import { event } from '../support/factories.js';

const app = useApp();
let contract: Contract;
let path: string;
let read: Reply;

beforeAll(async () => {
  const { client, tokens } = app();
  contract = new Contract((await client.get('/doc')).body);
  path = `/calendar/events/v1/events/${(await event(client, tokens.adm, { venue: { venue: 'Hall' } })).id as number}`;
  read = await client.raw(path);
});

/** Returns the response with some members changed. */
const changed = (reply: Reply, change: Partial<Reply>): Reply => ({ ...reply, ...change });
const withBody = (reply: Reply, members: object) => changed(reply, { body: { ...reply.body, ...members } });

describe('the contract check of test responses', () => {
  test('accepts documented responses', async () => {
    const { client } = app();
    expect(() => contract.check(path, {}, read)).not.toThrow();
    for (const address of ['', '/', '/doc', '/events?_fields=id', '/events/0', '/nothing', '/events/by-slug/t']) {
      const reply = await client.get(address);
      expect(() => contract.check(client.mount + address, {}, reply)).not.toThrow();
    }
  });

  test('rejects undocumented members at any depth', () => {
    expect(() => contract.check(path, {}, withBody(read, { secret: 1 }))).toThrow(/is not as documented/);
    const venue = { ...read.body.venue, author_email: 'ann@example.com' };
    expect(() => contract.check(path, {}, withBody(read, { venue }))).toThrow(/is not as documented/);
    const fields = withBody(read, { secret: 1 });
    expect(() => contract.check(`${path}?_fields=secret`, {}, fields)).toThrow(/is not as documented/);
  });

  test('rejects missing members and members of another type', () => {
    const { title: _, ...rest } = read.body;
    expect(() => contract.check(path, {}, changed(read, { body: rest }))).toThrow(/'title'/);
    expect(() => contract.check(`${path}?_fields=id`, {}, changed(read, { body: rest }))).not.toThrow();
    expect(() => contract.check(path, {}, withBody(read, { author: 5 }))).toThrow(/author must be string/);
    expect(() => contract.check(path, {}, withBody(read, { website: null }))).toThrow(/website must be string/);
  });

  test('rejects undocumented statuses, codes and content types', async () => {
    const { client } = app();
    expect(() => contract.check(path, {}, changed(read, { status: 202 }))).toThrow(/the status/);
    expect(() => contract.check(path, { method: 'DELETE' }, changed(read, { status: 201 }))).toThrow(/the status/);
    const missing = await client.get('/events/0');
    const other = withBody(missing, { code: 'rest-venue-not-found' });
    expect(() => contract.check(path, {}, other)).toThrow(/the code rest-venue-not-found/);
    const data = { status: 404, query: 'SELECT' };
    expect(() => contract.check(path, {}, withBody(missing, { data }))).toThrow(/is not as documented/);
    const text = changed(read, { headers: { ...read.headers, 'content-type': 'text/plain' } });
    expect(() => contract.check(path, {}, text)).toThrow(/the content type text\/plain/);
    expect(() => contract.check(path, { method: 'PURGE' }, read)).toThrow(/the operation/);
  });

  test('is applied by the client to every response', async () => {
    const { mount } = app().client;
    const other = createServer((_, response) => {
      response.setHeader('X-TEC-API-ROOT', `http://localhost${mount}/`);
      response.setHeader('Content-Type', 'application/json; charset=UTF-8');
      response.end(JSON.stringify({ ...read.body, secret: 1 }));
    });
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const client = new Client((other.address() as AddressInfo).port, mount);
    await expect(client.get('/events/1')).rejects.toThrow(/GET .*\/events\/1 → 200 is not as documented/);
    await expect(client.put('/events/1', {})).rejects.toThrow(/is not as documented/);
    await expect(client.get('/events/1?_fields=id')).rejects.toThrow(/is not as documented/);
    await new Promise((closed) => other.close(closed));
  });
});
