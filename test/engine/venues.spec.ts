import { EventLinkKinds } from '../../src/events/event.link-kinds.js';
import { VENUE } from '../../src/venues/venue.kind.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply } from '../support/client.js';
import { describeLinkedPosts } from '../shared/linked-post.cases.js';

const HEAD = ['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue'];
const TAIL = ['show_map', 'show_map_link', 'global_id', 'global_id_lineage'];
const PLACE = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'];

const FULL = {
  venue: 'Grand Hall',
  description: '<p>Big hall</p>',
  show_map: true,
  show_map_link: true,
  address: '1 Main St',
  city: 'Springfield',
  country: 'United States',
  province: 'Region',
  state: 'IL',
  zip: '62701',
  phone: '+1 555 0100',
  stateprovince: 'IL',
  website: 'https://hall.example.org',
  image: 'https://example.com/hall.jpg',
  geo_lat: 39.8,
  geo_lng: -89.65,
};

describeLinkedPosts({
  kind: VENUE,
  full: FULL,
  members: [...HEAD, 'description', 'slug', 'image', ...PLACE, 'geo_lat', 'geo_lng', ...TAIL],
  fewest: [...HEAD, 'slug', ...TAIL],
  jsonLd: (url) => ({
    '@type': 'Place',
    name: 'Grand Hall',
    description: 'Big hall',
    image: 'https://example.com/hall.jpg',
    url,
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 Main St',
      addressLocality: 'Springfield',
      addressRegion: 'IL',
      postalCode: '62701',
      addressCountry: 'United States',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 39.8, longitude: -89.65 },
    telephone: '+1 555 0100',
    sameAs: 'https://hall.example.org',
  }),
  optional: Object.keys(FULL).filter((field) => field !== 'venue'),
  linksOf: (service) => service.app.get(EventLinkKinds).links.venue,
});

describe('rules for venues only', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });

  afterEach(() => service.close());

  const post = (body: object) => service.client.post('/venues', body, service.tokens.adm);
  const put = (id: number, body: object) => service.client.put(`/venues/${id}`, body, service.tokens.adm);
  const found = async (search: string): Promise<string[]> => {
    const { body } = await service.client.get(`/venues?search=${encodeURIComponent(search)}`);
    return (body.venues as { venue: string }[]).map(({ venue }) => venue);
  };
  const expectRefused = ({ status, body }: Reply, ...names: string[]) => {
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(body.data.params as object)).toEqual(names);
  };

  test('VO-06: finds words that occur in one field, except country and website', async () => {
    await post({ venue: 'A', address: '12 Temple Avenue', city: 'London', zip: 'EC4Y', website: 'https://w.example' });
    await post({ venue: 'B', city: 'Paris', country: 'France', province: 'Île-de-France', phone: '+33 1 23' });
    await post({ venue: 'C', state: 'IL', stateprovince: 'Wrocławskie' });
    expect(await found('london')).toEqual(['A']);
    expect(await found('ec4y')).toEqual(['A']);
    expect(await found('"temple avenue"')).toEqual(['A']);
    expect(await found('france, ile de')).toEqual(['B']);
    expect(await found('33 23')).toEqual(['B']);
    expect(await found('il')).toEqual(['C', 'B']);
    expect(await found('wroclaw')).toEqual(['C']);
    expect(await found('paris france')).toEqual([]);
    expect(await found('w.example')).toEqual([]);
    await post({ venue: 'D', country: 'Narnia', website: 'https://narnia.example' });
    expect(await found('narnia')).toEqual([]);
  });

  test('VO-14: parses map flags, and accepts a number as text', async () => {
    for (const off of ['false', false, 0, '0', 'no', 'OFF']) {
      const { body } = await post({ venue: `Off ${off}`, show_map: off, show_map_link: off });
      expect([body.show_map, body.show_map_link]).toEqual([false, false]);
    }
    const { body } = await post({ venue: 'A', show_map: 'banana', show_map_link: ['true'] });
    expect(Object.keys(body.data.params as object)).toEqual(['show_map', 'show_map_link']);
    const made = await post({ venue: 'A', show_map: false, zip: 75008, country: '0' });
    expect(made.body).toMatchObject({ show_map: false, zip: '75008', country: '0' });
    expect((await put(made.body.id as number, { show_map: '' })).body.show_map).toBe(true);
  });

  test('VO-15: reuses an equal venue, and creates one for another city', async () => {
    const first = await post({ venue: 'Hall', city: 'Lyon', show_map: true, geo_lat: 45.75, geo_lng: 4.85 });
    expect((await post({ venue: 'hall', geo_lat: '45.75', geo_lng: 4.85 })).body).toEqual(first.body);
    expect((await post({ venue: 'Hall', city: 'Paris' })).status).toBe(201);
    expect((await post({ venue: 'Hall', show_map: false })).status).toBe(201);
  });

  test('VO-21: derives stateprovince from state or province unless a client sets it', async () => {
    const create = async (fields: object) => (await post({ venue: `V${Math.random()}`, ...fields })).body;
    expect(await create({ country: 'US', state: 'IL', province: 'P' })).toMatchObject({ stateprovince: 'IL' });
    expect(await create({ country: 'United States', state: 'IL' })).toMatchObject({ stateprovince: 'IL' });
    expect(await create({ state: 'IL' })).toMatchObject({ stateprovince: 'IL' });
    const french = await create({ country: 'France', state: 'IL', province: 'P' });
    expect(french.stateprovince).toBe('P');
    expect(await create({ country: 'France', state: 'IL' })).not.toHaveProperty('stateprovince');
    const kept = await create({ state: 'IL', stateprovince: 'Kept' });
    expect((await put(kept.id as number, { city: 'X', state: 'NY' })).body.stateprovince).toBe('Kept');
    expect((await put(kept.id as number, { stateprovince: '' })).body.stateprovince).toBe('NY');
    const shown = await put(french.id as number, { stateprovince: 'P', province: 'Q' });
    expect(shown.body.stateprovince).toBe('Q');
    expect((await put(french.id as number, { stateprovince: 'R', province: 'R' })).body.stateprovince).toBe('R');
    expect((await put(french.id as number, { province: 'S' })).body.stateprovince).toBe('S');
    const sent = await create({ state: 'IL', stateprovince: 'IL' });
    expect((await put(sent.id as number, { state: 'NY' })).body.stateprovince).toBe('NY');
  });

  test('GEN-27: a derived stateprovince sent back stays derived', async () => {
    const { body } = await post({ venue: 'A', state: 'IL' });
    await put(body.id as number, (await service.client.get(`/venues/${body.id}`)).body as object);
    expect((await put(body.id as number, { state: 'NY' })).body.stateprovince).toBe('NY');
  });

  test('VO-22: stores, validates and clears coordinates as a pair', async () => {
    const { body } = await post({ venue: 'A', geo_lat: '45.5', geo_lng: -0 });
    expect(body).toMatchObject({ geo_lat: 45.5, geo_lng: 0 });
    expectRefused(await post({ venue: 'B', geo_lat: 1 }), 'geo_lng');
    expectRefused(await post({ venue: 'B', geo_lng: 1 }), 'geo_lat');
    expectRefused(await post({ venue: 'B', geo_lat: 91, geo_lng: 181 }), 'geo_lat', 'geo_lng');
    expectRefused(await post({ venue: 'B', geo_lat: 91 }), 'geo_lat');
    expectRefused(await service.client.put(`/venues/${body.id}`, { geo_lat: null, geo_lng: 1 }), 'geo_lat');
    expectRefused(await put(body.id as number, { geo_lat: null }), 'geo_lat');
    expect((await put(body.id as number, { geo_lat: 10 })).body).toMatchObject({ geo_lat: 10, geo_lng: 0 });
    const cleared = await put(body.id as number, { geo_lat: null, geo_lng: '' });
    expect(cleared.body).not.toHaveProperty('geo_lat');
    expect(cleared.body).not.toHaveProperty('geo_lng');
    expectRefused(await put(body.id as number, { geo_lng: 5 }), 'geo_lat');
  });
});
