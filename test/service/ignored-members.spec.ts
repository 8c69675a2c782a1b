import type { Reply } from '../support/client.js';
import { useApp } from '../support/events.js';
import { E } from '../support/factories.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const RECORDS: readonly [string, Record<string, unknown>][] = [
  ['events', E],
  ['venues', { venue: 'Hall' }],
  ['organizers', { organizer: 'Ann' }],
  ['categories', { name: 'Music' }],
  ['tags', { name: 'outdoor' }],
];

const app = useApp();
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app().client.send(path, { method, body, headers, token: app().tokens.adm });
const ignored = ({ headers }: Reply) => headers['x-kalends-ignored'];

describe('X-Kalends-Ignored', () => {
  test.each(RECORDS)(
    'GEN-37: /%s lists the members that no field accepts, on every write',
    async (collection, fields) => {
      const made = await send('POST', `/${collection}`, {
        content: 'x',
        ...fields,
        venue_id: 5,
        url: 'x',
        context: 'edit',
      });
      expect([made.status, ignored(made)]).toEqual([201, 'content, venue_id']);
      const path = `/${collection}/${made.body.id}`;
      for (const method of ['POST', 'PUT', 'PATCH']) {
        expect(ignored(await send(method, path, { featured_image: 3 }))).toBe('featured_image');
      }
      const form = await send('PATCH', path, 'a%5Bb%5D=1&c=2&a%20b=3&description=x', FORM);
      expect([form.status, ignored(form)]).toEqual([200, 'a, c, a%20b']);
      expect(ignored(await send('PATCH', `${path}?content=x`, { description: 'y' }))).toBeUndefined();
      const { body } = await send('GET', path);
      for (const method of ['PUT', 'DELETE']) expect(ignored(await send(method, path, body))).toBeUndefined();
      const again = await send('POST', `/${collection}`, { ...fields, x: { title: 'y' } });
      expect(ignored(await send('DELETE', `/${collection}/${again.body.id}`, { force: true, x: 1 }))).toBe('x');
    },
  );

  test('GEN-37: the response to a rejected request has no such header', async () => {
    for (const [body, status] of [
      [{ content: 'x' }, 400],
      ['{"content":', 400],
    ] as const) {
      const refused = await send('POST', '/events', body);
      expect([refused.status, ignored(refused)]).toEqual([status, undefined]);
    }
    expect(ignored(await send('PUT', '/events/2323', { content: 'x' }))).toBeUndefined();
    expect(ignored(await app().client.post('/venues', { venue: 'A', content: 'x' }))).toBeUndefined();
  });

  test('GEN-37, EV-NEW-17, EV-UPD-12: lists the password of an event where it has no effect', async () => {
    const made = await send('POST', '/events', { ...E, password: 'open sesame' });
    expect(ignored(made)).toBe('password');
    const { id, slug } = made.body;
    expect(ignored(await send('PATCH', `/events/by-slug/${slug}`, { password: 'open sesame' }))).toBe('password');
    expect((await app().client.get(`/events/${id}`)).status).toBe(200);
    expect(ignored(await send('PATCH', `/events/${id}`, { password: 'open sesame' }))).toBeUndefined();
    expect((await app().client.get(`/events/${id}`)).status).toBe(403);
  });

  test('GEN-37, 5.5: a replayed response lists the same members', async () => {
    const key = { 'idempotency-key': 'ignored-members' };
    const sent = { venue: 'Repeated', content: 'x' };
    const first = await send('POST', '/venues', sent, key);
    const second = await send('POST', '/venues', sent, key);
    expect([ignored(first), ignored(second)]).toEqual(['content', 'content']);
    expect([second.headers['idempotent-replayed'], second.text]).toEqual(['true', first.text]);
  });

  test('GEN-37: encodes names of any characters and limits the header to 1000 bytes', async () => {
    const names = ['a\r\nx-evil: 1', '東京', '__proto__', 'constructor', '\ud800', ''];
    const body = `{${names.map((name) => `${JSON.stringify(name)}:1`).join()},"venue":"Letters"}`;
    const { status, headers } = await send('POST', '/venues', body);
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('x-evil');
    expect(headers['x-kalends-ignored']).toBe(
      'a%0D%0Ax-evil%3A%201, %E6%9D%B1%E4%BA%AC, __proto__, constructor, %EF%BF%BD',
    );
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}-`.padEnd(100, 'ü'), 1]));
    const long = ignored(await send('POST', '/venues', { venue: 'Many', ...many })) as string;
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(1000);
  });
});
