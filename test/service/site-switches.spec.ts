import { Controller, Get, Header, Module, Param } from '@nestjs/common';
import { EventsModule } from '../../src/events/events.module.js';
import { EventsService } from '../../src/events/events.service.js';
import { bySlug } from '../../src/kernel/id-or-slug.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { Context } from '../../src/platform/http/param-decorators.js';
import { RouteTable } from '../../src/platform/http/routing/route-table.js';
import { startApp, startBeside, startOwnApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { addressesOf, titlesOf, visit } from '../support/site.js';

const MOUNTS = ['/calendar/events/v1', '/de/calendar/events/v1', '/wp-json/tribe/events/v1'];
const SITE_PATHS = ['/event/:slug', '/venue/:slug', '/organizer/:slug', '/tag/:slug', '/events/category/:slug'];
/** Without pages there are no language prefixes for them, and no slash is added. */
const REDIRECTED = ['/', '/event/first', '/event/first/', '/venue/hall', '/organizer/ann', '/tag/live', '/tag/none'];

/** The parts of a response that every client sees. `x-request-id` and `date` differ by request. */
function seen({ status, headers, text }: Reply) {
  const { 'x-request-id': _id, date: _date, ...others } = headers;
  return { status, headers: others, text };
}

describe('PAGES', () => {
  test('PAGE-03, PAGE-47: no route below the mounts changes by a byte, neither the index nor the document', async () => {
    const service = await startApp();
    const off = await startBeside(service, { PAGES: 'off' });
    try {
      const { client, tokens } = service;
      const place = await venue(client, tokens.edi, {});
      const { id } = await organizer(client, tokens.edi, {});
      await category(client, tokens.adm, { name: 'Live' });
      await tag(client, tokens.adm, { name: 'Live' });
      await event(client, tokens.edi, { title: 'First', venue: place.id, organizer: id, categories: ['Live'] });
      const routes = service.app.get(RouteTable).all();
      const slugs: Record<string, string> = { events: 'first', venues: 'hall', organizers: 'ann' };
      const paths = routes.map(({ path }) => {
        const [, collection = ''] = path.split('/');
        return path.replace(':id', '1').replace(':slug', slugs[collection] ?? 'live');
      });
      expect(paths.length).toBeGreaterThan(15);
      let compared = 0;
      for (const path of [...paths, '/events?page=9', '/events?per_page=x', '/nothing', '/events/99']) {
        for (const mount of MOUNTS) {
          for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']) {
            const sent = { method, headers: { Host: 'localhost:3000' } };
            const [one, other] = [await client.raw(mount + path, sent), await off.client.raw(mount + path, sent)];
            expect([method, mount, path, seen(one)]).toEqual([method, mount, path, seen(other)]);
            compared += 1;
          }
        }
      }
      expect(compared).toBe((paths.length + 4) * MOUNTS.length * 5);
      const { body: index } = await client.get('');
      const { body: document } = await client.get('/doc');
      for (const path of [...Object.keys(index.routes as object), ...Object.keys(document.paths as object)]) {
        expect(path).not.toMatch(/embed|sitemap|robots|atom|subscribe|\/tag\/|\/event\//);
      }
    } finally {
      await off.close();
      await service.close();
    }
  }, 180_000);

  test('PAGE-01, PAGE-02: programs that prefer JSON get the same redirects as without pages, and Vary by Accept', async () => {
    const service = await startApp();
    const off = await startBeside(service, { PAGES: 'off' });
    try {
      const { client, tokens } = service;
      await venue(client, tokens.edi, {});
      await organizer(client, tokens.edi, {});
      await category(client, tokens.adm, { name: 'Live' });
      await tag(client, tokens.adm, { name: 'Live' });
      await event(client, tokens.edi, { title: 'First' });
      const json = { headers: { Host: 'localhost:3000', Accept: 'application/json, text/html;q=0.9' } };
      for (const path of [...REDIRECTED, '/events/category/live', '/events/category/none']) {
        const [one, other] = [await client.raw(path, json), await off.client.raw(path, json)];
        expect([path, withoutVary(one)]).toEqual([path, withoutVary(other)]);
        expect([path, one.headers.vary]).toEqual([path, expect.stringMatching(/\bAccept\b/)]);
      }
      for (const path of SITE_PATHS) {
        const slug = { '/event/:slug': 'first', '/venue/:slug': 'hall', '/organizer/:slug': 'ann' }[path] ?? 'live';
        const address = `${path.replace(':slug', slug)}/`;
        for (const accept of ['*/*', undefined, 'text/html', 'text/html, application/json']) {
          const page = await client.raw(address, { headers: accept === undefined ? {} : { Accept: accept } });
          expect([address, accept, page.status, page.headers['content-type'], page.headers.vary]).toEqual([
            address,
            accept,
            200,
            'text/html; charset=UTF-8',
            expect.stringMatching(/\bAccept\b/),
          ]);
        }
      }
    } finally {
      await off.close();
      await service.close();
    }
  });
});

function withoutVary(reply: Reply) {
  const { status, headers, text } = seen(reply);
  return { status, headers: { ...headers, vary: '' }, text };
}

test('FEEDS=off: feeds are unknown, undocumented, and no page offers them', async () => {
  const [on, off] = [await startOwnApp(), await startOwnApp({ FEEDS: 'off' }, { modules: [] })];
  try {
    const offered = [];
    for (const { client, tokens } of [on, off]) {
      const { id } = await event(client, tokens.edi, { title: 'First' });
      const feeds = ['/events.ics', `/events/${id}.ics`, '/events/by-slug/first.ics'];
      const replies = [];
      for (const path of feeds) replies.push((await client.get(path)).status);
      for (const path of ['/events/?ical=1', '/event/first/ical/'])
        replies.push((await client.raw(path)).headers['content-type']?.includes('text/calendar') === true);
      replies.push((await visit(client, '/subscribe/')).status);
      const documented = Object.keys((await client.get('/doc')).body.paths as object);
      const links = [];
      for (const path of ['/', '/event/first/', '/events/month/2027-03/', '/search/'])
        links.push(...addressesOf(await visit(client, path)));
      offered.push({
        replies,
        documented: documented.filter((path) => path.endsWith('.ics')),
        linked: links.some((href) => /\.ics|\/subscribe\/|webcal:/.test(href)),
        hasGoogle: links.some((href) => href.includes('action=TEMPLATE')),
      });
    }
    expect(offered).toEqual([
      {
        replies: [200, 200, 200, true, true, 200],
        documented: ['/events.ics', '/events/{id}.ics', '/events/by-slug/{slug}.ics'],
        linked: true,
        hasGoogle: true,
      },
      { replies: [404, 404, 404, false, false, 404], documented: [], linked: false, hasGoogle: true },
    ]);
  } finally {
    await on.close();
    await off.close();
  }
});

describe('a module with a page of its own', () => {
  @Controller()
  class OurEventPage {
    constructor(private readonly events: EventsService) {}

    @Get(['event/:slug', ':language/event/:slug'])
    @Header('Content-Type', 'text/html; charset=UTF-8')
    async show(@Param('slug') slug: string, @Context() context: RequestContext): Promise<string> {
      const { event: shown } = await this.events.readShown(bySlug(slug), undefined, context);
      return `<!DOCTYPE html><title>${shown.title}</title><h1>Ours: ${shown.title}</h1>`;
    }
  }

  @Module({ imports: [EventsModule], controllers: [OurEventPage] })
  class OurPagesModule {}

  test('its route replaces the page of the same path, in every language; the others stay and link to it', async () => {
    const service = await startOwnApp({}, { modules: [OurPagesModule] });
    try {
      const { client, tokens } = service;
      await event(client, tokens.edi, { title: 'First' });
      for (const path of ['/event/first/', '/event/first', '/de/event/first/']) {
        const ours = await visit(client, path);
        expect([path, ours.status, ours.text]).toEqual([path, 200, expect.stringContaining('<h1>Ours: First</h1>')]);
      }
      const list = await visit(client, '/');
      expect(titlesOf(list)).toEqual(['First']);
      expect(addressesOf(list)).toContain('/event/first/');
      expect((await visit(client, '/events/month/2027-03/')).text).toContain('k-grid');
    } finally {
      await service.close();
    }
  });
});
