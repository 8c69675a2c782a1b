import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

/** The compiler must report exactly the lines that are marked as wrong. */
const api = createClient<paths>({ baseUrl: '' });
type NewEvent = paths['/events']['post']['requestBody']['content']['application/json'];
const times = { start_date: '2027-03-10', end_date: '2027-03-10' };
const path = { id: 1 };

void api.GET('/event'); // wrong
void api.GET('/events', { params: { query: { per_pages: 5 } } }); // wrong
void api.GET('/events', { params: { query: { per_page: 'five' } } }); // wrong
void api.GET('/events', { params: { query: { orderby: 'price' } } }); // wrong
void api.GET('/events', { params: { query: { strict_dates: 'no' } } }); // wrong
void api.GET('/events/{id}', { params: { path: { id: 'one' } } }); // wrong
void api.POST('/events', { body: { title: 'T', start_date: '2027-03-10' } }); // wrong
export const named = { ...times, title: 'T', titel: 'T' } satisfies NewEvent; // wrong
export const town = { ...times, title: 'T', venue: [{ venue: 'Hall', town: 'Lyon' }] } satisfies NewEvent; // wrong
void api.POST('/events', { body: { ...times, title: 12 } }); // wrong
void api.POST('/events', { body: { ...times, title: 'T', featured: 'yes' } }); // wrong
void api.POST('/events', { body: { ...times, title: 'T', cost: true } }); // wrong
void api.POST('/events', { body: { ...times, title: 'T', venue: [{ city: 'Lyon' }] } }); // wrong
void api.POST('/events', { body: { ...times, title: 'T', venue: [{ venue: 'Hall', city: 1 }] } }); // wrong
void api.PATCH('/venues/{id}', { params: { path }, body: { geo_lat: 'north' } }); // wrong
void api.POST('/categories', { body: { description: 'nameless' } }); // wrong
void api.DELETE('/tags', {}); // wrong

export function read(event: components['schemas']['Event'], error: components['schemas']['Error']) {
  const id: string = event.id; // wrong
  const featured: boolean = event.featured; // wrong
  const city = event.venue.city; // wrong
  const day: number = event.start_date_details.day; // wrong
  const size = event.image.width; // wrong
  const price: number = event.json_ld?.offers?.price; // wrong
  const status: string = error.data.status; // wrong
  const term = event.categories[0]?.titel; // wrong
  return { id, featured, city, day, size, price, status, term };
}
