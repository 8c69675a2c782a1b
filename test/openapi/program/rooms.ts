import createClient from 'openapi-fetch';
import type { paths } from './api-of-modules.js';

/** The routes of an ordinary module, by a generated client. */
const [baseUrl = '', token = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const made = await api.POST('/rooms', { body: { name: 'Blue room', seats: 12 } });
const rejected = await api.POST('/rooms', { body: { name: '', seats: 0 } });
const read = await api.GET('/rooms/{name}', { params: { path: { name: 'Blue room' } } });
console.log(JSON.stringify([made.data, rejected.response.status, read.data?.seats.toFixed(1)]));

// @ts-expect-error -- a room has seats
void (() => api.POST('/rooms', { body: { name: 'Blue room' } }));
// @ts-expect-error -- seats are numbers
void (() => api.POST('/rooms', { body: { name: 'Blue room', seats: 'many' } }));
// @ts-expect-error -- there is no such path
void (() => api.GET('/room'));
