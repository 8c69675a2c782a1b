import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';

/**
 * One session, recorded in full. The same file is expected on SQLite, MariaDB and MySQL, so equal answers on each mean
 * equal answers on all. `RECORD=1 npm test -- session` writes it anew; the difference is to be read in review.
 */
const RECORDING = join(process.cwd(), 'test', 'conformance', 'session.txt');

type Step = readonly [method: string, path: string, body?: unknown];

const HALL = { venue: 'Halle 🎪', city: 'Łódź', country: 'Poland', zip: '90-001', geo_lat: 51.7592, geo_lng: 19.456 };
const STEPS: readonly Step[] = [
  ['GET', '/events'],
  ['POST', '/categories', { name: 'Música', description: 'a < b & "c"' }],
  ['POST', '/categories', { name: 'música' }],
  ['POST', '/categories', { name: 'Ópera 🎭', parent: 1 }],
  ['POST', '/tags', { name: 'straße', slug: 'STRASSE' }],
  ['POST', '/tags', { name: 'ＦＵＬＬ width' }],
  ['POST', '/venues', HALL],
  ['POST', '/venues', HALL],
  ['POST', '/venues', { ...HALL, venue: 'HALLE 🎪', city: 'Lodz' }],
  ['POST', '/organizers', { organizer: 'Zoë & Søren', email: 'z@example.org', phone: '+48 1' }],
  [
    'POST',
    '/events',
    {
      title: 'Fête de la Musique – München',
      start_date: '2027-03-28 02:30',
      end_date: '2027-03-28 05:00',
      timezone: 'Europe/Paris',
      description: 'a\n\nb <b>bold</b>\nc 🎉',
      cost: ['0$', '20$', '30$'],
      categories: [1, 'Ópera 🎭', 'New one'],
      tags: 'strasse,another tag',
      venue: [1, { venue: 'Second hall', geo_lat: 0.1, geo_lng: -179.999999 }],
      organizer: [{ organizer: 'Ann' }, 1],
      image: 'https://images.example/ü.JPG?x=1',
      featured: 'yes',
    },
  ],
  [
    'POST',
    '/events',
    { title: 'fete DE la musique munchen', start_date: '2027-01-01', end_date: '2027-01-01', all_day: true },
  ],
  ['POST', '/events', { title: '!!!', start_date: '2027-01-02 10:00', end_date: '2027-01-02 11:00', status: 'draft' }],
  [
    'POST',
    '/events',
    { title: '東京イベント', start_date: '2027-01-02 10:00', end_date: '2027-01-02 11:00', timezone: 'Asia/Tokyo' },
  ],
  [
    'POST',
    '/events',
    { title: 'Later', start_date: '@1804698000', end_date: '2027-03-20', date: 'tomorrow 9am', cost: 12.5 },
  ],
  [
    'POST',
    '/events',
    { title: 'Bad', start_date: '2027-02-30', end_date: 'x', venue: 99, categories: [99], website: 'foo' },
  ],
  ['GET', '/events?per_page=2'],
  ['GET', '/events?per_page=2&page=2&status=any'],
  ['GET', '/events?page=7'],
  ['GET', '/events?orderby=title&order=desc'],
  ['GET', '/events?search=fete%20munchen'],
  ['GET', '/events?search=%F0%9F%8E%89'],
  ['GET', '/events?search=FETE%20-bold'],
  ['GET', '/events?categories=m%C3%BAsica&venue=1&featured=1'],
  ['GET', '/events?categories=musica'],
  ['GET', '/events?tags=strasse,another-tag'],
  ['GET', '/events?geoloc_lat=0&geoloc_lng=180&geoloc_radius=50'],
  ['GET', '/events?geoloc=false'],
  ['GET', '/events?starts_after=2027-01-01&ends_before=2027-01-02&strict_dates=1'],
  ['GET', '/events/1'],
  ['GET', '/events/by-slug/%E6%9D%B1%E4%BA%AC%E3%82%A4%E3%83%99%E3%83%B3%E3%83%88'],
  ['GET', '/events/by-slug/fete-de-la-musique-munchen%20'],
  ['PUT', '/events/1', { title: 'Fête', slug: '', venue: 2, tags: [] }],
  ['PATCH', '/events/2', { slug: 'fete' }],
  ['DELETE', '/events/2'],
  ['DELETE', '/events/2'],
  ['GET', '/events?status=trash'],
  ['POST', '/events/2', { status: 'publish' }],
  ['DELETE', '/events/3?force=true'],
  ['GET', '/events/3'],
  ['GET', '/venues?search=halle%20lodz'],
  ['GET', '/venues?has_events=true'],
  ['GET', '/venues?only_with_upcoming=1&per_page=1'],
  ['GET', '/organizers?event=1'],
  ['GET', '/organizers?search=soren'],
  ['PUT', '/venues/1', { city: null, state: 'IL', country: 'US' }],
  ['DELETE', '/organizers/1'],
  ['GET', '/categories?hide_empty=0&orderby=name'],
  ['GET', '/categories?orderby=count&order=desc'],
  ['GET', '/tags?hide_empty=no&orderby=slug&order=desc'],
  ['GET', '/tags?search=STRASSE&hide_empty=0'],
  ['PUT', '/tags/4', { name: 'STRASSE' }],
  ['PUT', '/tags/4', { slug: 'another-tag' }],
  ['DELETE', '/categories/1'],
  ['GET', '/categories?hide_empty=0&orderby=id'],
  ['GET', '/events/1?_fields=title,categories.name,venue.venue'],
  ['GET', '/nothing'],
];

describe('one session', () => {
  let test: TestApp;
  beforeAll(
    async () => (test = await startApp({ PUBLIC_URL: 'https://kalends.example', SITE_TIMEZONE: 'America/New_York' })),
  );
  afterAll(() => test.close());

  it('returns the recorded responses, byte for byte', async () => {
    const { client, tokens } = test;
    const pages: string[] = [];
    for (const [method, path, body] of STEPS) {
      for (const token of method === 'GET' ? [undefined, tokens.edi] : [tokens.edi]) {
        const reply = await client.send(path, { method, body, token, headers: { 'x-request-id': 'session' } });
        pages.push(`${method} ${path} ${token === undefined ? 'anonymous' : 'editor'}\n${page(reply)}`);
      }
    }
    const session = pages.join('\n\n') + '\n';
    if (process.env.RECORD === '1') writeFileSync(RECORDING, session);
    expect(session).toBe(readFileSync(RECORDING, 'utf8'));
  });
});

/** Status, headers and body of a response, without the headers that differ each time. */
function page({ status, headers, text }: Reply): string {
  const lines = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return [String(status), ...lines.map(([name, value]) => `${name}: ${value}`).toSorted(), text].join('\n');
}
