import { startApp, startOwnApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { createTestDatabase } from '../support/database.js';
import { E, event } from '../support/factories.js';
import { emptyFolder, startServer } from '../support/process.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';

const TOKEN = 'canary-token-of-at-least-32-characters';
const MOUNT = '/calendar/events/v1';

/** What a problem is outside the mounts: a page for those who name HTML, else JSON. */
async function asked(
  client: Client,
  path: string,
  sent: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const [page, json] = await Promise.all([
    visit(client, path, sent),
    client.raw(path, { ...sent, headers: { ...sent.headers, Accept: '*/*' } }),
  ]);
  return { page, json };
}

test('PAGE-32: 404, 400, 405 and 414 are pages outside the mounts for those who name HTML, else JSON', async () => {
  const service = await startApp();
  try {
    const { client } = service;
    const cases: [string, string, number, string][] = [
      ['GET', '/nothing', 404, 'There is nothing here'],
      ['GET', '/?page=x', 400, 'This address does not work'],
      ['PUT', '/', 405, 'That is not possible here'],
      ['GET', `/search/?${'a=1&'.repeat(1100)}`, 414, 'The address is too long'],
    ];
    for (const [method, path, status, title] of cases) {
      const { page, json } = await asked(client, path, { method });
      const shown = [path.slice(0, 30), page.status, page.headers['content-type'], page.headers['cache-control']];
      expect(shown).toEqual([path.slice(0, 30), status, 'text/html; charset=UTF-8', 'private, no-store']);
      expect(textOf(page)).toContain(title);
      expect(page.text).toContain('noindex');
      expect(addressesOf(page)).toContain('/search/');
      expect([path.slice(0, 30), json.status, json.headers['content-type']]).toEqual([
        path.slice(0, 30),
        status,
        'application/json; charset=UTF-8',
      ]);
    }
    const mounted = await visit(client, `${MOUNT}/events/99`);
    expect(mounted.headers['content-type']).toMatch(/^application\/json/);
  } finally {
    await service.close();
  }
});

test('PAGE-32: 429 says how long to wait; files of the pages do not count', async () => {
  const service = await startOwnApp({ RATE_LIMIT: '3/60' });
  try {
    const { client } = service;
    const [css = ''] = addressesOf(await visit(client, '/search/')).filter((href) => href.endsWith('.css'));
    for (let count = 0; count < 5; count += 1) expect((await visit(client, css)).status).toBe(200);
    for (let count = 0; count < 2; count += 1) expect((await visit(client, '/search/')).status).toBe(200);
    const { page, json } = await asked(client, '/');
    const wait = page.headers['retry-after'];
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=UTF-8']);
    expect(textOf(page)).toContain(`Try again in ${wait} seconds.`);
    expect([json.status, json.body.code, Number(json.headers['retry-after']) > 0]).toEqual([
      429,
      'rest_too_many_requests',
      true,
    ]);
  } finally {
    await service.close();
  }
});

test('PAGE-32: 503 is a page that needs no database', async () => {
  // Nothing listens on port 1.
  const server = await startServer({ DATABASE_URL: 'mysql://root@127.0.0.1:1/kalends' }, emptyFolder(), 'listening');
  try {
    const client = new Client(server.port, MOUNT);
    const paths = ['/', '/event/other/', '/events/month/2026-12/'];
    // Side by side, because each waits for the database before it fails.
    const answers = await Promise.all(paths.map((path) => asked(client, path)));
    for (const [index, { page, json }] of answers.entries()) {
      const path = paths[index];
      expect([path, page.status, page.headers['content-type'], Number(page.headers['retry-after']) > 0]).toEqual([
        path,
        503,
        'text/html; charset=UTF-8',
        true,
      ]);
      expect(textOf(page)).toContain('The calendar is not available');
      expect([json.status, json.body.code]).toEqual([503, 'service_unavailable']);
    }
  } finally {
    await server.stop();
  }
}, 120_000);

test('PAGE-25, PAGE-34: a password is in no log; a page is new after a write of another process', async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, KALENDS_ADMIN_TOKEN: TOKEN, CACHE_STALENESS: '0', LOG_LEVEL: 'info' };
  const first = await startServer(settings);
  const second = await startServer(settings);
  try {
    const [one, other] = [new Client(first.port, MOUNT), new Client(second.port, MOUNT)];
    const shown = await event(one, TOKEN, { ...E, title: 'Before' });
    expect(titlesOf(await visit(one, '/'))).toEqual(['Before']);
    expect(titlesOf(await visit(other, '/'))).toEqual(['Before']);
    await other.put(`/events/${shown.id}`, { title: 'After' }, TOKEN);
    expect(titlesOf(await visit(one, '/'))).toEqual(['After']);
    await one.put(`/events/${shown.id}`, { password: 'canary-of-the-password' }, TOKEN);
    const send = (password: string) =>
      visit(one, '/event/before/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `password=${password}`,
      });
    expect((await send('canary-of-a-guess')).status).toBe(403);
    const open = await send('canary-of-the-password');
    expect([open.status, open.text.includes('canary')]).toEqual([200, false]);
    expect((await visit(one, '/event/before/?password=canary-of-the-password')).status).toBe(403);
    await first.stop();
    const logged = first.output.stdout + first.output.stderr;
    expect(logged).toContain('/event/before/');
    expect(logged).not.toMatch(/canary-of-(a-guess|the-password)/);
  } finally {
    await first.stop();
    await second.stop();
    await database.drop();
  }
}, 180_000);
