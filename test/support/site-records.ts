import type { TestApp } from './app.js';
import { category, event, organizer, tag, venue } from './factories.js';

/** Every kind of page, by an address of a service that `fillSite` has filled. 20 November 2026 is today. */
export const PAGES = {
  list: '/',
  past: '/events/past/',
  month: '/events/month/2026-12/',
  filtered: '/events/month/2026-12/?category=music',
  day: '/events/day/2026-12-11/',
  category: '/events/category/music/',
  'category-past': '/events/category/music/past/',
  tag: '/tag/live/',
  venue: '/venue/blue-room/',
  organizer: '/organizer/les-petits-serveurs/',
  event: '/event/long-night/',
  protected: '/event/closed/',
  search: '/search/?q=night',
  'empty-search': '/search/',
  categories: '/events/categories/',
  subscribe: '/subscribe/?category=music',
  embed: '/embed/',
  'embed-month': '/embed/?view=month&month=2026-12',
  missing: '/event/nothing/',
} as const;

const DESCRIPTION = `<p>Seven people who run their own machines tell <a href="https://talks.example/seven">how</a>, and what they
would never do again.</p><h1>Programme</h1><ul><li>19:30 Doors, soup</li><li>20:15 A server in a shoebox</li></ul>
<table><thead><tr><th>Hour</th><th>Room</th></tr></thead><tbody><tr><td>21:00</td><td>Blue</td></tr></tbody></table>
<blockquote>The best server is the one you can lift.</blockquote>
<p><img src="https://pictures.example/rack.png" alt="A rack" width="640" height="360"></p>`;

/** Writes records of every kind, so that each page of `PAGES` has what it can have. Waits for one write after the other. */
export async function fillSite({ client, tokens }: TestApp): Promise<void> {
  const write = (title: string, start: string, end: string, fields: object = {}) =>
    event(client, tokens.edi, { title, start_date: start, end_date: end, timezone: 'Europe/Paris', ...fields });
  const music = await category(client, tokens.adm, { name: 'Music', description: 'Concerts and evenings.' });
  await category(client, tokens.adm, { name: 'Jazz & Blues', slug: 'jazz', parent: music.id });
  await tag(client, tokens.adm, { name: 'Live' });
  const room = await venue(client, tokens.edi, {
    venue: 'Blue Room',
    address: '14 rue de la Quarantaine',
    zip: '69005',
    city: 'Lyon',
    country: 'France',
    phone: '+33 4 00 00 00 00',
    website: 'https://blue.example/',
    description: '<p>Two hundred seats below the hill.</p>',
    geo_lat: 45.75,
    geo_lng: 4.82,
    show_map_link: true,
  });
  const people = await organizer(client, tokens.edi, {
    organizer: 'Les Petits Serveurs',
    email: 'bonjour@petits.example',
    phone: '+33 4 11 11 11 11',
    website: 'https://petits.example/',
    description: '<p>A club of people with small machines.</p>',
  });
  const links = { venue: room.id, organizer: people.id, categories: ['Music'], tags: ['Live'] };
  await write('Long Night of Small Web Servers', '2026-12-11 19:30', '2026-12-12 01:00', {
    slug: 'long-night',
    description: DESCRIPTION,
    cost: '12€',
    website: 'https://long.example/',
    featured: true,
    ...links,
  });
  const closed = await write('Closed evening', '2026-12-11 18:00', '2026-12-11 19:00', { slug: 'closed', ...links });
  await client.put(`/events/${closed.id}`, { password: 'sesame' }, tokens.edi);
  await write('Advent calendar', '2026-12-01', '2026-12-24', { all_day: true, categories: ['Jazz & Blues'] });
  await write('Exhibition: Clocks', '2026-11-16 10:00', '2026-11-27 18:00', links);
  await write('Breakfast', '2026-11-20 08:00', '2026-11-20 09:30', { cost: '0' });
  await write('Radio from Tokyo', '2026-11-21 01:00', '2026-11-21 02:00', { timezone: 'Asia/Tokyo' });
  for (let number = 1; number <= 7; number += 1)
    await write(`Workshop ${number}`, `2026-12-11 1${number}:00`, `2026-12-11 1${number}:45`, {
      categories: ['Jazz & Blues'],
    });
  for (let number = 1; number <= 16; number += 1)
    await write(`Choir ${number}`, `2026-12-${number + 12} 19:00`, `2026-12-${number + 12} 20:30`, {
      ...links,
      cost: '5€',
    });
  for (let number = 1; number <= 3; number += 1)
    await write(`Old concert ${number}`, `2026-0${number}-10 20:00`, `2026-0${number}-10 22:00`, links);
  await write('Summer school', '2027-07-05', '2027-07-16', { all_day: true });
}
