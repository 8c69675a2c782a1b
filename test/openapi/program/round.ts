import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type ApiError = components['schemas']['Error'];
type Event = components['schemas']['Event'];

const [baseUrl = '', token = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

/** The results of the program for one resource. */
interface Round {
  readonly created: string;
  readonly listed: string[];
  readonly updated: string;
  readonly deleted: boolean;
  readonly afterwards: { code: string; status: number };
}

/** Returns the data of a response. An error ends the program. */
function must<Data>({ data, error }: { data?: Data; error?: ApiError }): Data {
  if (error !== undefined) throw new Error(`${error.data.status} ${error.code}: ${error.message}`);
  if (data === undefined) throw new Error('There is no body.');
  return data;
}

function refusal({ error }: { error?: ApiError }): Round['afterwards'] {
  if (error === undefined) throw new Error('There is no error.');
  return { code: error.code, status: error.data.status };
}

function placesOf({ venue }: Event): components['schemas']['Venue'][] {
  return Array.isArray(venue) ? venue : [venue];
}

async function events(): Promise<Round & { readonly event: object }> {
  const made = must(
    await api.POST('/events', {
      body: {
        title: 'Jazz & Wine',
        start_date: '2027-03-10 20:00',
        end_date: '2027-03-10 23:30',
        timezone: 'Europe/Paris',
        cost: ['10', 20],
        website: 'https://jazz.example/',
        venue: [{ venue: 'Blue Room', city: 'Lyon', geo_lat: 45.76, geo_lng: 4.84 }],
        organizer: [{ organizer: 'Bob', email: 'bob@example.com' }],
        categories: ['Music'],
        tags: ['outdoor'],
      },
    }),
  );
  const path = { id: made.id };
  const query = { categories: ['music'], venue: placesOf(made).map(({ id }) => id), orderby: 'title' } as const;
  const page = must(
    await api.GET('/events', {
      params: { query: { ...query, categories: [...query.categories], strict_dates: true } },
    }),
  );
  const updated = must(
    await api.PATCH('/events/{id}', {
      params: { path },
      body: { title: 'Jazz', organizer: made.organizer.map(({ id }) => ({ id })), tags: null },
    }),
  );
  const read = must(await api.GET('/events/by-slug/{slug}', { params: { path: { slug: made.slug } } }));
  const deleted = must(await api.DELETE('/events/{id}', { params: { path, query: { force: true } } }));
  return {
    created: made.title,
    listed: page.events.map((event) => `${event.title}, ${page.total} of ${page.total_pages}`),
    updated: updated.title,
    deleted: 'deleted' in deleted ? deleted.deleted : false,
    afterwards: refusal(await api.GET('/events/{id}', { params: { path } })),
    event: {
      day: made.start_date_details.day,
      cost: made.cost_details.values,
      image: made.image === false ? 'none' : made.image.url,
      places: placesOf(made).map(({ venue, city, geo_lat }) => ({ venue, city, geo_lat })),
      organizers: updated.organizer.map(({ organizer, email }) => ({ organizer, email })),
      terms: [...made.categories, ...updated.tags].map(({ name, taxonomy }) => ({ name, taxonomy })),
      zone: read.json_ld?.startDate.slice(-6),
      town: read.json_ld?.location?.address.addressLocality,
    },
  };
}

async function venues(): Promise<Round> {
  const made = must(await api.POST('/venues', { body: { venue: 'Grand Hall', zip: '75008', show_map: 'false' } }));
  const path = { id: made.id };
  const page = must(await api.GET('/venues', { params: { query: { search: 'grand', has_events: false } } }));
  const updated = must(await api.PATCH('/venues/{id}', { params: { path }, body: { city: 'Paris' } }));
  const deleted = must(await api.DELETE('/venues/{id}', { params: { path } }));
  return {
    created: `${made.venue} ${made.zip} ${made.show_map}`,
    listed: page.venues.map(({ venue }) => venue),
    updated: `${updated.venue} ${updated.city}`,
    deleted: 'status' in deleted && deleted.status === 'trash',
    afterwards: refusal(await api.DELETE('/venues/{id}', { params: { path } })),
  };
}

async function organizers(): Promise<Round> {
  const made = must(await api.POST('/organizers', { body: { organizer: 'Ann', email: 'ann@example.com' } }));
  const path = { slug: made.slug };
  const page = must(await api.GET('/organizers', { params: { query: { search: 'ann@example.com', per_page: 5 } } }));
  const updated = must(await api.PATCH('/organizers/by-slug/{slug}', { params: { path }, body: { email: null } }));
  const deleted = must(await api.DELETE('/organizers/by-slug/{slug}', { params: { path, query: { force: true } } }));
  return {
    created: `${made.organizer} ${made.email}`,
    listed: page.organizers.map(({ organizer }) => organizer),
    updated: `${updated.organizer} ${updated.email ?? '-'}`,
    deleted: 'deleted' in deleted,
    afterwards: refusal(await api.GET('/organizers/by-slug/{slug}', { params: { path } })),
  };
}

async function categories(): Promise<Round> {
  const parent = must(await api.POST('/categories', { body: { name: 'Arts' } }));
  const made = must(await api.POST('/categories', { body: { name: 'Film', parent: parent.id } }));
  const path = { id: made.id };
  const query = { parent: parent.id, hide_empty: false, orderby: 'id', order: 'desc' } as const;
  const page = must(await api.GET('/categories', { params: { query } }));
  const updated = must(await api.PATCH('/categories/{id}', { params: { path }, body: { description: 'Moving' } }));
  const deleted = must(await api.DELETE('/categories/{id}', { params: { path } }));
  return {
    created: `${made.name} ${made.urls.up === parent.urls.self}`,
    listed: page.categories.map(({ name, count }) => `${name} ${count}`),
    updated: updated.description,
    deleted: 'name' in deleted && deleted.name === 'Film',
    afterwards: refusal(await api.GET('/categories/{id}', { params: { path } })),
  };
}

async function tags(): Promise<Round> {
  const made = must(await api.POST('/tags', { body: { name: 'Open air' } }));
  const path = { id: made.id };
  const page = must(await api.GET('/tags', { params: { query: { include: [made.id], hide_empty: false } } }));
  const updated = must(await api.PATCH('/tags/{id}', { params: { path }, body: { slug: 'air' } }));
  const deleted = must(await api.DELETE('/tags/{id}', { params: { path, query: { force: true } } }));
  return {
    created: made.slug,
    listed: page.tags.map(({ slug }) => slug),
    updated: updated.slug,
    deleted: 'deleted' in deleted && deleted.previous.id === made.id,
    afterwards: refusal(await api.POST('/tags', { body: { name: '' } })),
  };
}

console.log(
  JSON.stringify({
    events: await events(),
    venues: await venues(),
    organizers: await organizers(),
    categories: await categories(),
    tags: await tags(),
  }),
);
