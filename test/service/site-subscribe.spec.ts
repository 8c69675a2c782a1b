import { toUtc } from '../../src/kernel/time/calendar-time.js';
import { startApp, type TestApp } from '../support/app.js';
import { readCalendar } from '../support/calendar.js';
import { category, event, organizer, tag, venue } from '../support/factories.js';
import { Random } from '../support/random.js';
import { insertEvents } from '../support/rows.js';
import { addressesOf, visit } from '../support/site.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

/** Returns the addresses of a page that subscribe to a feed, each as the URL of the feed that it leads to. */
async function feedsOf(path: string) {
  const addresses = addressesOf(await visit(service.client, path));
  const one = (start: string) => new URL(addresses.find((href) => href.startsWith(start)) ?? '');
  const outlook = one('https://outlook.live.com/calendar/0/addfromweb?').searchParams;
  return {
    webcal: one('webcal:').href.replace(/^webcal:/, 'http:'),
    google: one('https://calendar.google.com/calendar/r?')
      .searchParams.get('cid')
      ?.replace(/^webcal:/, 'http:'),
    outlook: outlook.get('url'),
    name: outlook.get('name'),
  };
}

test('PAGE-38: every address to subscribe leads to the feed with the filters of the page', async () => {
  const { client, tokens } = service;
  const place = await venue(client, tokens.edi, { venue: 'Café & Bar', city: 'Lyon' });
  const people = await organizer(client, tokens.edi, { organizer: 'Ann' });
  const rock = await category(client, tokens.adm, { name: 'Rock & Roll', slug: 'rock-roll' });
  // A slug of digits is read as an id first, here that of the other category.
  const digits = String(rock.id);
  const year = await category(client, tokens.adm, { name: digits, slug: digits });
  await tag(client, tokens.adm, { name: '東京', slug: '東京' });
  const all = { categories: ['Rock & Roll'], tags: ['東京'], venue: place.id, organizer: people.id };
  await event(client, tokens.edi, { title: 'Linked', ...all });
  await event(client, tokens.edi, { title: 'Alone', categories: [year.id] });
  const tokyo = encodeURIComponent('東京');
  const cases: [path: string, feed: string, name: string, titles: string[]][] = [
    ['/', '', 'Kalends', ['Linked', 'Alone']],
    ['/subscribe/', '', 'Kalends', ['Linked', 'Alone']],
    ['/events/category/rock-roll/', '?categories=rock-roll', 'Rock & Roll', ['Linked']],
    ['/subscribe/?category=rock-roll', '?categories=rock-roll', 'Rock & Roll', ['Linked']],
    [`/events/category/${digits}/`, `?categories=${year.id}`, digits, ['Alone']],
    [`/subscribe/?category=${digits}`, `?categories=${year.id}`, digits, ['Alone']],
    [`/tag/${tokyo}/`, `?tags=${tokyo}`, '東京', ['Linked']],
    ['/venue/cafe-bar/', `?venue=${place.id}`, 'Café & Bar', ['Linked']],
    ['/organizer/ann/', `?organizer=${people.id}`, 'Ann', ['Linked']],
    [
      `/subscribe/?category=rock-roll&tag=${tokyo}&venue=cafe-bar&organizer=ann&utm_source=x`,
      `?categories=rock-roll&tags=${tokyo}&venue=${place.id}&organizer=${people.id}`,
      'Rock & Roll, 東京, Café & Bar, Ann',
      ['Linked'],
    ],
  ];
  for (const [path, query, name, titles] of cases) {
    const { webcal, google, outlook, name: named } = await feedsOf(path);
    expect([path, google, outlook, named]).toEqual([path, webcal, webcal, name]);
    const { pathname, search } = new URL(webcal);
    const feed = await client.raw(pathname + search);
    expect([path, feed.text]).toEqual([path, (await client.get(`/events.ics${query}`)).text]);
    expect([path, readCalendar(feed).map(({ title }) => title)]).toEqual([path, titles]);
  }
  const { text } = await visit(client, '/subscribe/?category=rock-roll');
  const copied = /<input class="k-copy"[^>]* value="([^"]*)"/.exec(text)?.[1];
  expect(copied).toBe((await feedsOf('/subscribe/?category=rock-roll')).webcal);
});

const ZONES = ['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'];
const FIXED = ['UTC+5:30', 'UTC-3'];

/** Returns 500 events of all zones, at any hour of the days on which clocks change, and others. */
function manyEvents() {
  const random = new Random(7);
  return Array.from({ length: 500 }, (_, index) => {
    const timezone = random.pick([...ZONES, ...FIXED]);
    const day = random.pick(['2027-03-28', '2027-10-31', '2027-03-14', '2027-11-07', '2027-07-01', '2028-02-29']);
    const hour = (value: number) => String(value).padStart(2, '0');
    const all_day = random.chance(0.2) ? 1 : 0;
    const from = all_day === 1 ? 0 : random.between(0, 22);
    const start_local = `${day} ${hour(from)}:${all_day === 1 ? '00' : hour(random.between(0, 59))}:00`;
    const end_local = all_day === 1 ? `${day} 23:59:59` : `${day} ${hour(from + 1)}:59:00`;
    const utc = { start_utc: toUtc(start_local, timezone), end_utc: toUtc(end_local, timezone) };
    const title = `Event ${index} & "more" + ünï`;
    const description = index % 7 === 0 ? `<p>${'Words & words. '.repeat(400)}</p>` : '<p>A + B</p>';
    return { slug: `many-${index}`, title, description, timezone, start_local, end_local, all_day, ...utc } as const;
  });
}

/** `20270328T023000`, with Z in UTC: the instant in a zone. */
function instantOf(text: string, zone: string): string {
  const [, y, m, d, h, i, s, z] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(text) ?? [];
  const wall = `${y}-${m}-${d} ${h}:${i}:${s}`;
  return z === 'Z' ? wall : toUtc(wall, zone);
}

const isoUtc = (time: string | null) => new Date(time ?? '').toISOString().slice(0, 19).replace('T', ' ');

test('PAGE-38: Google and Outlook read 500 events back as they are', async () => {
  const { client } = service;
  const events = manyEvents();
  await insertEvents(service, events);
  // The second of two equal hours, which a wall time alone does not name.
  const overlap = { timezone: 'Europe/Paris', start_local: '2027-10-31 02:30:00', end_local: '2027-10-31 03:30:00' };
  const second = { slug: 'second', title: 'Second', description: '', ...overlap } as const;
  const late = { ...second, all_day: 0, start_utc: '2027-10-31 01:30:00', end_utc: '2027-10-31 02:30:00' } as const;
  await insertEvents(service, [late]);
  for (const { slug, title, timezone, all_day, start_local, start_utc, end_utc } of [...events, late]) {
    const page = await visit(client, `/event/${slug}/`);
    const hrefs = addressesOf(page);
    const [google, outlook] = ['google.com/calendar/render', 'deeplink/compose'].map((part) => {
      const href = hrefs.find((one) => one.includes(part)) ?? '';
      expect([slug, href.length <= 1_900]).toEqual([slug, true]);
      return new URL(href).searchParams;
    });
    const [from = '', to = ''] = (google!.get('dates') ?? '').split('/');
    const day = start_local.slice(0, 10);
    const url = `http://127.0.0.1:${client.port}/event/${slug}/`;
    expect([slug, google!.get('text'), outlook!.get('subject')]).toEqual([slug, title, title]);
    expect([slug, google!.get('details')?.endsWith(url), outlook!.get('body')?.endsWith(url)]).toEqual([
      slug,
      true,
      true,
    ]);
    if (all_day === 1) {
      const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      expect([slug, from, to]).toEqual([slug, day.replaceAll('-', ''), next.replaceAll('-', '')]);
      const days = ['startdt', 'enddt', 'allday'].map((name) => outlook!.get(name));
      expect([slug, ...days]).toEqual([slug, day, next, 'true']);
    } else {
      const zone = google!.get('ctz') ?? 'UTC';
      expect([slug, zone]).toEqual([slug, FIXED.includes(timezone) || timezone === 'UTC' ? 'UTC' : timezone]);
      expect([slug, instantOf(from, zone), instantOf(to, zone)]).toEqual([slug, start_utc, end_utc]);
      const times = ['startdt', 'enddt'].map((name) => isoUtc(outlook!.get(name)));
      expect([slug, ...times]).toEqual([slug, start_utc, end_utc]);
    }
  }
}, 120_000);
