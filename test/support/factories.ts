import type { Client, Reply } from './client.js';

/** A service whose records are made. */
interface Service {
  readonly client: Client;
  readonly tokens: { readonly edi: string };
}

/** The body E of the conformance cases: the required fields of an event. */
export const E = { title: 'T', start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' };

type Fields = Record<string, unknown>;

/** Creates an event over HTTP and returns its record. E supplies the missing fields. */
export function event(client: Client, token: string, fields: Fields = {}): Promise<Reply['body']> {
  return created(client, '/events', { ...E, ...fields }, token);
}

export function venue(client: Client, token: string, fields: Fields = {}): Promise<Reply['body']> {
  return created(client, '/venues', { venue: 'Hall', ...fields }, token);
}

export function organizer(client: Client, token: string, fields: Fields = {}): Promise<Reply['body']> {
  return created(client, '/organizers', { organizer: 'Ann', ...fields }, token);
}

export function category(client: Client, token: string, fields: Fields = {}): Promise<Reply['body']> {
  return created(client, '/categories', { name: 'Music', ...fields }, token);
}

export function tag(client: Client, token: string, fields: Fields = {}): Promise<Reply['body']> {
  return created(client, '/tags', { name: 'Red', ...fields }, token);
}

/** Returns what makes records of each kind as an editor, of the service that runs by then. */
export function makersOf(current: () => Service) {
  const by = (make: typeof event) => (fields?: Fields) => {
    const { client, tokens } = current();
    return make(client, tokens.edi, fields);
  };
  return {
    event: by(event),
    venue: by(venue),
    organizer: by(organizer),
    category: by(category),
    tag: by(tag),
  };
}

async function created(client: Client, path: string, fields: Fields, token: string): Promise<Reply['body']> {
  const reply = await client.post(path, fields, token);
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
  return reply.body;
}
