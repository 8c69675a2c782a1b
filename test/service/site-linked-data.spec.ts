import { VENUE } from '../../src/venues/venue.kind.js';
import { startApp, type TestApp } from '../support/app.js';
import { event, organizer, venue } from '../support/factories.js';
import { insertEvent, linkEvent } from '../support/rows.js';
import { visit } from '../support/site.js';

const ORG = 'https://schema.org/';
const URL_FORM = /^https?:\/\/[^\s<>"]+$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** With the offset: without it Google assumes a zone. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

type Json = Record<string, unknown>;

/** Google's table of what an Event has: a member, whether it is demanded, and its form. */
const TABLE: readonly (readonly [name: string, isRequired: boolean, hasForm: (value: unknown) => boolean])[] = [
  ['@context', true, (value) => value === 'https://schema.org'],
  ['@type', true, (value) => value === 'Event'],
  ['name', true, isText],
  ['startDate', true, isTime],
  ['location', true, (value) => [value].flat().length > 0 && [value].flat().every(isLocation)],
  ['endDate', false, isTime],
  ['description', false, isText],
  ['image', false, (value) => [value].flat().every((url) => isText(url) && URL_FORM.test(url))],
  ['eventStatus', false, (value) => value === `${ORG}EventScheduled`],
  [
    'eventAttendanceMode',
    false,
    (value) => /^https:\/\/schema\.org\/(Online|Offline)EventAttendanceMode$/.test(value as string),
  ],
  ['organizer', false, (value) => [value].flat().every(isOrganizer)],
  ['offers', false, (value) => [value].flat().every(isOffer)],
  ['url', false, (value) => URL_FORM.test(value as string)],
];

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTime(value: unknown): boolean {
  return DATE.test(value as string) || INSTANT.test(value as string);
}

function isLocation(value: unknown): boolean {
  const { '@type': type, name, address, url } = value as Json;
  if (type === 'VirtualLocation') return URL_FORM.test(url as string);
  return type === 'Place' && isText(name) && (address as Json | undefined)?.['@type'] === 'PostalAddress';
}

function isOrganizer(value: unknown): boolean {
  const { '@type': type, name, url } = value as Json;
  return type === 'Organization' && isText(name) && URL_FORM.test(url as string);
}

function isOffer(value: unknown): boolean {
  const { '@type': type, price, priceCurrency, url, availability, validFrom } = value as Json;
  return (
    type === 'Offer' &&
    /^\d+(\.\d+)?$/.test(price as string) &&
    /^[A-Z]{3}$/.test(priceCurrency as string) &&
    URL_FORM.test(url as string) &&
    availability === `${ORG}InStock` &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(validFrom as string)
  );
}

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const NIGHT = { start_date: '2026-12-11 19:30', end_date: '2026-12-12 01:00', timezone: 'Europe/Paris' };

async function dataOf(path: string): Promise<Json | undefined> {
  const { text } = await visit(service.client, path);
  const found = [...text.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)];
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0] && (JSON.parse(found[0][1]!) as Json);
}

/** Writes an event and returns its data, or undefined. What it has must be as the table says. */
async function written(fields: Json): Promise<Json | undefined> {
  const { slug } = await event(service.client, service.tokens.edi, { ...NIGHT, ...fields });
  const data = await dataOf(`/event/${slug}/`);
  if (data === undefined) return undefined;
  for (const [name, isRequired, hasForm] of TABLE) {
    if (name in data || isRequired) expect([name, data[name], hasForm(data[name])]).toEqual([name, data[name], true]);
  }
  expect(Object.keys(data).filter((name) => !TABLE.some(([known]) => known === name))).toEqual([]);
  return data;
}

test('PAGE-39: an event with everything has all that Google recommends', async () => {
  const { client, tokens } = service;
  const place = { address: '14 rue A', zip: '69001', city: 'Lyon', country: 'France', province: 'Rhône' };
  const hall = await venue(client, tokens.edi, { venue: 'Blue Room', ...place });
  const ann = await organizer(client, tokens.edi, { organizer: 'Ann', website: 'https://ann.example/' });
  const bob = await organizer(client, tokens.edi, { organizer: 'Bob' });
  const data = await written({
    title: 'Night & "more"',
    description: '<p>Soup &amp; bread</p><p>from 8</p>',
    venue: hall.id,
    organizer: [ann.id, bob.id],
    cost: ['10€', '25.50€'],
    image: 'https://pictures.example/a.jpg',
    website: 'https://tickets.example/',
  });
  expect(Object.keys(data!).toSorted()).toEqual(TABLE.map(([name]) => name).toSorted());
  expect(data).toMatchObject({
    name: 'Night & "more"',
    startDate: '2026-12-11T19:30:00+01:00',
    endDate: '2026-12-12T01:00:00+01:00',
    description: 'Soup & bread from 8',
    eventAttendanceMode: `${ORG}OfflineEventAttendanceMode`,
    location: {
      '@type': 'Place',
      name: 'Blue Room',
      address: {
        streetAddress: '14 rue A',
        postalCode: '69001',
        addressLocality: 'Lyon',
        addressRegion: 'Rhône',
        addressCountry: 'France',
      },
    },
    organizer: [
      { name: 'Ann', url: 'https://ann.example/' },
      { name: 'Bob', url: expect.stringMatching(/\/organizer\/bob\/$/) as string },
    ],
    offers: [
      { price: '10', priceCurrency: 'EUR', url: 'https://tickets.example/' },
      { price: '25.50', priceCurrency: 'EUR' },
    ],
  });
});

test('PAGE-39: all-day events have days, free ones the price 0, online ones the address of their website', async () => {
  const days = await written({
    title: 'Fair',
    all_day: true,
    start_date: '2026-12-11',
    end_date: '2026-12-13',
    venue: { venue: 'Field' },
    cost: '0',
  });
  expect(days).toMatchObject({ startDate: '2026-12-11', endDate: '2026-12-13', offers: [{ price: '0' }] });
  for (const term of ['tags', 'categories']) {
    const online = await written({ title: `By ${term}`, [term]: ['Online'], website: 'https://meet.example/room' });
    expect(online).toMatchObject({
      eventAttendanceMode: `${ORG}OnlineEventAttendanceMode`,
      location: { '@type': 'VirtualLocation', url: 'https://meet.example/room' },
    });
  }
  const both = await written({ title: 'Two places', venue: [{ venue: 'One' }, { venue: 'Other' }] });
  expect(both!.location).toMatchObject([{ name: 'One' }, { name: 'Other' }]);
  // A write would drop the tags.
  const title = '</script><script>alert(1)</script><!--';
  const slug = 'hostile';
  await linkEvent(service, await insertEvent(service, { title, slug, description: title }), VENUE, [1]);
  const hostile = await dataOf(`/event/${slug}/`);
  expect(hostile).toMatchObject({ name: title });
  const fixed = await written({ title: 'Fixed', timezone: 'UTC+5:30', venue: { venue: 'One' } });
  expect(fixed!.startDate).toBe('2026-12-11T19:30:00+05:30');
});

test('PAGE-39: an event without a place, a protected one and a list have none; a venue is a Place', async () => {
  expect(await written({ title: 'Nowhere' })).toBeUndefined();
  expect(await written({ title: 'Online without a website', tags: ['Online'] })).toBeUndefined();
  expect(await written({ title: 'Website without the tag', website: 'https://meet.example/' })).toBeUndefined();
  const { client, tokens } = service;
  const { id } = await event(client, tokens.edi, { title: 'Closed', venue: { venue: 'Cellar' } });
  await client.put(`/events/${id}`, { password: 'sesame' }, tokens.edi);
  for (const path of ['/event/closed/', '/', '/events/month/2026-12/', '/events/category/online/', '/organizer/ann/'])
    expect([path, await dataOf(path)]).toEqual([path, undefined]);
  const place = await dataOf('/venue/blue-room/');
  expect([place?.['@context'], isLocation(place)]).toEqual(['https://schema.org', true]);
});
