import { startApp, startOwnApp, type TestApp } from '../support/app.js';
import { event, organizer, venue } from '../support/factories.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const NIGHT = { start_date: '2026-12-11 19:30', end_date: '2026-12-12 01:00', timezone: 'Europe/Paris' };

describe('the page of an event', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const write = (fields: object) => event(service.client, service.tokens.edi, { ...NIGHT, ...fields });
  const see = (path: string, accept?: string) =>
    visit(service.client, path, accept === undefined ? {} : { headers: { Accept: accept } });

  test('PAGE-21: shows when, where, price, organizers, website and calendars in this order', async () => {
    const { client, tokens } = service;
    const hall = await venue(client, tokens.edi, {
      venue: 'Blue Room',
      address: '14 rue A',
      zip: '69001',
      city: 'Lyon',
    });
    const other = await venue(client, tokens.edi, { venue: 'Red Room', city: 'Paris' });
    const people = [];
    for (const name of ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve'])
      people.push((await organizer(client, tokens.edi, { organizer: name })).id);
    await write({
      title: 'Long Night',
      description: '<p>Soup and bread</p>',
      venue: [hall.id, other.id],
      organizer: people,
      cost: '12€',
      website: 'https://long.example/',
      categories: ['Web'],
      tags: ['en'],
      image: 'https://pictures.example/a.jpg',
    });
    const page = await see('/event/long-night/');
    expect(textOf(page)).toMatch(
      /Long Night .*2026 · Lyon.* When .*19:30–01:00 \(next day\) Central European Time \(CET\) Where Blue Room 14 rue A, 69001 Lyon Map Red Room Paris Map Price 12€ Organizers Ann Bob Cleo Dan Eve Event website Add to calendar .*Soup and bread/,
    );
    const plain = await write({ title: 'Plain', start_date: '2026-12-14 10:00', end_date: '2026-12-14 10:00' });
    const bare = await see('/event/plain/');
    expect(textOf(bare)).not.toMatch(/Where|Price|Organizer|Event website|Programme/);
    expect(textOf(bare)).toMatch(/When .*10:00 Central/);
    expect(addressesOf(bare)).toContain(plain.rest_url);
  });

  test('PAGE-22: texts of records cannot change the page', async () => {
    const description =
      '<h1>Big</h1><p class="k-skip other">x</p><table><tr><td>1</td></tr></table><p><a href="javascript:alert(1)">no</a> <a href="https://x.example">yes</a></p>';
    const title = '</title><script>alert(1)</script> a <3 & "quoted" \u202e';
    const { slug } = await write({
      title,
      slug: 'hostile',
      description,
      tags: ['online'],
      website: 'https://w.example',
    });
    const page = await see(`/event/${slug}/`);
    expect(page.text).toContain('<h2>Big</h2>');
    expect(page.text).toContain('<p class="other">');
    expect(page.text).toMatch(/<section class="k-scroll" tabindex="0" aria-label="Table"><table>/);
    expect(page.text).not.toMatch(/javascript:|<script>alert/);
    expect(page.text).toContain('<a href="https://x.example" rel="nofollow noreferrer">');
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.text) ?? [];
    expect((JSON.parse(data) as { name: string }).name).toContain('a <3 & "quoted"');
    expect(data).toContain('a \\u003c3');
    expect(page.text).toContain('a &lt;3 &amp; ');
    for (const path of ['/', '/events/month/2026-12/', '/events.atom']) {
      expect([path, (await see(path)).text]).not.toEqual([path, expect.stringContaining('<script>alert')]);
    }
  });

  test('PAGE-24, PAGE-28: what is not public is unknown, by one and the same page', async () => {
    const { client, tokens } = service;
    for (const status of ['draft', 'pending', 'private']) await write({ title: `A ${status}`, slug: status, status });
    await write({ title: 'Planned', slug: 'future', date: '2026-12-01 10:00' });
    const { id } = await write({ title: 'Binned', slug: 'binned' });
    await client.delete(`/events/${id}`, tokens.edi);
    const hidden = await venue(client, tokens.edi, { venue: 'Secret Hall', slug: 'secret', status: 'draft' });
    await write({ title: 'With secret', slug: 'with-secret', venue: hidden.id });
    const texts = new Set<string>();
    for (const slug of ['draft', 'pending', 'private', 'future', 'binned', 'binned__trashed', 'zilch']) {
      const page = await see(`/event/${slug}/`);
      expect([slug, page.status]).toEqual([slug, 404]);
      texts.add(page.text.replaceAll(slug, ''));
      const json = await see(`/event/${slug}/`, '*/*');
      expect([slug, json.status, json.body]).toEqual([slug, 404, (await see('/nothing', '*/*')).body]);
    }
    expect(texts.size).toBe(1);
    expect((await see('/event/with-secret/')).text).not.toContain('Secret Hall');
    expect((await see('/venue/secret/')).status).toBe(404);
    service.setNow('2026-12-02T08:00:00Z');
    expect((await see('/event/future/')).status).toBe(200);
    service.setNow('2026-11-20T08:39:00Z');
  });

  test('PAGE-25: a protected event shows its title and times and asks for the password', async () => {
    const { client } = service;
    const secret = {
      description: '<p>Hush hush</p>',
      venue: { venue: 'Cellar' },
      cost: '99€',
      excerpt: 'quiet',
      tags: ['mum'],
    };
    const { id } = await write({ title: 'Closed', slug: 'closed', ...secret });
    await client.put(`/events/${id}`, { password: 'open sesame' }, service.tokens.edi);
    const secrets = /Hush|Cellar|99€|quiet|mum|sesame/;
    const locked = await see('/event/closed/?password=open+sesame');
    expect([locked.status, locked.headers['cache-control']]).toEqual([403, 'private, no-store']);
    expect(textOf(locked)).toMatch(/Closed .*19:30–01:00.*Password/);
    expect(locked.text.replaceAll('password=open', '')).not.toMatch(secrets);
    expect((await see('/')).text).not.toMatch(secrets);
    const send = (password: string, slug = 'closed') =>
      visit(client, `/event/${slug}/`, {
        method: 'POST',
        headers: FORM,
        body: new URLSearchParams({ password }).toString(),
      });
    const wrong = await send('wrong');
    expect([wrong.status, textOf(wrong)]).toEqual([403, expect.stringContaining('That password is not right.')]);
    expect(wrong.text).toContain('aria-describedby="k-wrong"');
    const opened = await send('open sesame');
    expect([opened.status, opened.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(opened.text).toContain('Hush hush');
    expect(opened.text).toContain('noindex');
    expect((await see('/event/closed/')).status).toBe(403);
    expect((await send('x'.repeat(5000))).status).toBe(413);
    const other = await write({ title: 'Shut', slug: 'shut' });
    await client.put(`/events/${other.id}`, { password: 'open sesame' }, service.tokens.edi);
    const tries = [];
    for (let count = 0; count < 11; count += 1) tries.push((await send('wrong', 'shut')).status);
    expect([tries[0], tries.at(-1)]).toEqual([403, 429]);
  });

  test('hide_from_listings: an event has its page, for those who know its address', async () => {
    await write({ title: 'Quiet', slug: 'quiet', hide_from_listings: true });
    const page = await see('/event/quiet/');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('noindex')]);
    for (const path of [
      '/',
      '/events/month/2026-12/',
      '/events/day/2026-12-11/',
      '/search/?q=quiet',
      '/events.atom',
      '/sitemap/1.xml',
    ]) {
      const { text } = await see(path);
      expect([path, /\/event\/quiet\//.test(text)]).toEqual([path, false]);
    }
  });

  test('PAGE-38: a single event can be added to calendars', async () => {
    const [google = ''] = addressesOf(await see('/event/plain/')).filter((href) => href.includes('calendar.google'));
    expect(Object.fromEntries(new URL(google).searchParams)).toMatchObject({
      text: 'Plain',
      dates: '20261214T100000/20261214T100000',
      ctz: 'Europe/Paris',
    });
    const [outlook = ''] = addressesOf(await see('/event/plain/')).filter((href) => href.includes('compose'));
    expect(new URL(outlook).searchParams.get('startdt')).toBe('2026-12-14T10:00:00+01:00');
    await write({ title: 'Old', start_date: '2026-01-14 10:00', end_date: '2026-01-14 11:00' });
    const old = await see('/event/old/');
    expect(textOf(old)).toContain('This event is over');
    expect(textOf(old)).not.toContain('Add to calendar');
  });

  test('children and parent: a programme, and what an event is part of', async () => {
    const parent = await write({ title: 'Festival', start_date: '2026-12-11 08:00', end_date: '2026-12-13 20:00' });
    await write({ title: 'Opening', post_parent: parent.id });
    expect(textOf(await see('/event/festival/'))).toMatch(/Programme .*Opening/);
    expect(textOf(await see('/event/opening/'))).toContain('Part of Festival');
  });
});

describe('months and days', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp();
  });
  afterAll(() => service.close());
  const write = (fields: object) => event(service.client, service.tokens.edi, { timezone: 'Europe/Paris', ...fields });
  const see = (path: string) => visit(service.client, path);

  test('PAGE-12: grids of short, long, old and last months; other addresses are unknown', async () => {
    const weeks = async (month: string) => (await see(`/events/month/${month}/`)).text.split('<tr>').length - 2;
    expect(await weeks('2027-02')).toBe(4);
    expect(await weeks('2026-03')).toBe(6);
    expect(await weeks('2028-02')).toBe(5);
    for (const month of ['1582-10', '9999-12', '1000-01'])
      expect([month, (await see(`/events/month/${month}/`)).status]).toEqual([month, 200]);
    for (const path of ['month/2027-13', 'month/2027-3', 'month/0999-12', 'day/2027-02-30', 'day/2027-2-3']) {
      expect([path, (await see(`/events/${path}/`)).status]).toEqual([path, 404]);
    }
    expect((await see('/events/month/')).headers.location).toBe('/events/month/2026-11/');
  });

  test('PAGE-13: an event is one link a week; a day shows four and says how many more', async () => {
    await write({ title: 'Long', start_date: '2026-12-03', end_date: '2026-12-16', all_day: true });
    for (let count = 1; count <= 7; count += 1)
      await write({ title: `Seven ${count}`, start_date: '2026-12-23 10:00', end_date: '2026-12-23 11:00' });
    const page = await see('/events/month/2026-12/');
    const grid = page.text.slice(page.text.indexOf('<table'), page.text.indexOf('</table>'));
    expect(grid.match(/href="\/event\/long\/"/g)).toHaveLength(3);
    expect(grid).toMatch(/class="k-bar k-s4 k-solid k-to"/);
    expect(grid).toMatch(/class="k-bar k-s7 k-solid k-from k-to"/);
    expect(grid).toMatch(/3 more <span class="k-hidden">on Wednesday 23 December<\/span>/);
    expect(grid).toMatch(/aria-label="Wednesday,? 23 December 2026, 7 events"/);
  });

  test('PAGE-14, PAGE-16: events stand on their own days; neighbours lie between the first and the last event', async () => {
    await write({
      title: 'Tokyo',
      start_date: '2026-12-01 01:00',
      end_date: '2026-12-01 02:00',
      timezone: 'Asia/Tokyo',
    });
    expect(titlesOf(await see('/events/day/2026-12-01/'))).toEqual(['Tokyo']);
    expect(titlesOf(await see('/events/day/2026-11-30/'))).toEqual([]);
    const first = addressesOf(await see('/events/month/2026-12/'));
    expect(first).not.toContain('/events/month/2027-01/');
    const outside = await see('/events/month/2031-05/');
    expect([outside.status, outside.text]).toEqual([200, expect.stringContaining('noindex')]);
    expect(textOf(await see('/events/month/2026-11/'))).toMatch(
      /No events in November 2026. Next: 1 December 2026, Tokyo/,
    );
  });

  test('PAGE-18: a day shows running events and leads to the next days with events', async () => {
    const day = await see('/events/day/2026-12-05/');
    expect(textOf(day)).toContain('day 3 of 14 Long');
    const empty = await see('/events/day/2026-12-20/');
    expect(textOf(empty)).toContain('No events on this day.');
    expect(addressesOf(empty)).toEqual(expect.arrayContaining(['/events/day/2026-12-16/', '/events/day/2026-12-23/']));
  });

  test('PAGE-30: a search shows the words as text, and past events on request', async () => {
    await write({ title: 'Jazz <b>old</b>', start_date: '2026-01-03', end_date: '2026-01-04', all_day: true });
    await write({ title: 'Jazz new', start_date: '2026-12-03', end_date: '2026-12-04', all_day: true });
    expect(titlesOf(await see('/search/?q=jazz'))).toEqual(['Jazz new']);
    expect(titlesOf(await see('/search/?q=jazz&past=1'))).toHaveLength(2);
    expect(textOf(await see('/search/?q=%3Cscript%3E'))).toContain('“<script>”');
    expect((await see('/search/?q=')).status).toBe(200);
    expect((await see('/search/?q=-jazz')).status).toBe(400);
    expect((await see(`/search/?q=${'x'.repeat(501)}`)).status).toBe(400);
  });

  test('PAGE-40, PAGE-41: Atom, sitemaps, robots.txt and OpenSearch', async () => {
    const atom = await see('/events.atom');
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=UTF-8');
    expect(atom.text).toMatch(/<id>urn:kalends:[0-9a-f]{12}:event:\d+<\/id>/);
    const index = await see('/sitemap.xml');
    expect(index.text).toMatch(/\/sitemap\/0\.xml.*\/sitemap\/1\.xml/);
    expect((await see('/sitemap/0.xml')).text).toContain('/events/month/2026-12/');
    expect((await see('/sitemap/1.xml')).text).toContain('/event/tokyo/');
    expect((await see('/sitemap/2.xml')).status).toBe(404);
    expect((await see('/robots.txt')).text).toMatch(/Disallow: \/search\/[^]*Sitemap: http/);
    expect((await see('/opensearch.xml')).text).toContain('{searchTerms}');
  });

  test('PAGE-36, PAGE-37: the calendar in other websites', async () => {
    const page = await see('/embed/?view=list&limit=2&theme=dark');
    expect(page.text).toContain('data-theme="dark"');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; frame-ancestors \*$/);
    expect(titlesOf(page)).toHaveLength(2);
    expect((await see('/embed/?view=month&month=2026-12')).text).toContain('k-grid');
    for (const query of ['limit=51', 'limit=0', 'view=x', 'theme=x', 'month=2026-13']) {
      expect([query, (await see(`/embed/?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await see('/embed.js')).headers['content-type']).toMatch(/^text\/javascript/);
  });

  test('PAGE-38: the addresses to subscribe', async () => {
    const page = await see('/subscribe/');
    expect(addressesOf(page)).toContainEqual(expect.stringMatching(/^webcal:.*\/events\.ics$/));
    expect((await see('/subscribe/?category=nothing')).status).toBe(404);
    expect((await see('/events/categories/')).status).toBe(200);
  });
});

test('PAGE-15, PAGE-42: SITE_REGION, SITE_LINKS and the name beside the logo', async () => {
  const service = await startOwnApp({
    SITE_REGION: 'US',
    SITE_LINKS: 'Imprint=https://x.example/i',
    SITE_NAME: 'Our Dates',
  });
  try {
    const { client, tokens } = service;
    await event(client, tokens.edi, { title: 'A', start_date: '2026-12-11 19:30', end_date: '2026-12-11 20:00' });
    const month = await visit(client, '/events/month/2026-12/');
    expect(month.text.indexOf('title="Sunday"')).toBeLessThan(month.text.indexOf('title="Monday"'));
    expect(month.text).toContain('7:30 PM A');
    expect(addressesOf(month)).toContain('https://x.example/i');
    expect(month.text).toContain('<title>December 2026 – Our Dates</title>');
  } finally {
    await service.close();
  }
});
