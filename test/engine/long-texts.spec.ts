import { Database } from '../../src/database/database.js';
import type { Reply } from '../support/client.js';
import { expectRefused, useApp } from '../support/events.js';
import { E } from '../support/factories.js';

const MOST = 1024;
/** The longest accepted text: MOST bytes as JSON, including its quotation marks. */
const LONGEST = `<p>${'x'.repeat(MOST - 9)}</p>`;
const LONGER = `<p>${'x'.repeat(MOST - 8)}</p>`;

/** The fields with long texts: case id, collection, field, and the required fields of the record. */
const RECORDS = [
  ['EV-NEW', 'events', 'description', E],
  ['EV-NEW', 'events', 'excerpt', E],
  ['VO-12', 'venues', 'description', { venue: 'Hall' }],
  ['VO-12', 'organizers', 'description', { organizer: 'Ann' }],
] as const;

describe('MAX_TEXT_BYTES limits texts (contract 3, "Longest values")', () => {
  const app = useApp({ MAX_TEXT_BYTES: String(MOST) });
  const post = (path: string, body: object): Promise<Reply> => app().client.post(path, body, app().tokens.adm);

  test.each(RECORDS)('%s: POST /%s rejects a longer %s and stores nothing', async (_, path, name, fields) => {
    const total = async () => (await app().client.get(`/${path}`)).body.total as number;
    const before = await total();
    expectRefused(await post(`/${path}`, { ...fields, [name]: LONGER }), { [name]: 'rest_too_long' });
    expect(await total()).toBe(before);
    const { status, body } = await post(`/${path}`, { ...fields, [name]: LONGEST });
    expect([status, body[name]]).toEqual([201, LONGEST]);
  });

  test.each(RECORDS)('%s: an update in /%s may repeat a longer stored %s', async (_, path, name, fields) => {
    const { id } = (await post(`/${path}`, { ...fields, [name]: LONGEST, slug: `kept-${name}` })).body;
    await app()
      .app.get(Database)
      .inTransaction((tx) => tx.update(path, id as number, { [name]: LONGER }));
    const update = (sent: object) => post(`/${path}/${id}`, sent);
    expect((await update({ [name]: LONGER, website: 'https://x.example/' })).body).toMatchObject({
      [name]: LONGER,
      website: 'https://x.example/',
    });
    expectRefused(await update({ [name]: `${LONGER}<p>y</p>` }), { [name]: 'rest_too_long' });
    expect((await update({ [name]: LONGEST })).body[name]).toBe(LONGEST);
    // The longer text is no longer stored, so that it is rejected.
    expectRefused(await update({ [name]: LONGER }), { [name]: 'rest_too_long' });
  });

  test('EV-NEW: limits the text as stored: entities count in full, removed elements do not count', async () => {
    expectRefused(await post('/events', { ...E, description: '&'.repeat(250) }), { description: 'rest_too_long' });
    const removed = `<script>${'x'.repeat(5_000)}</script>y`;
    expect((await post('/events', { ...E, description: removed })).status).toBe(201);
  });

  test('EV-NEW: reports the position of the venue whose text is too long', async () => {
    const venue = [{ venue: 'Hall', description: LONGER }];
    const reply = await post('/events', { ...E, venue });
    expectRefused(reply, { venue: 'rest_too_long' });
    expect(reply.body.data.params.venue).toBe('venue[0].description must not be longer than 1024 bytes as JSON.');
  });

  test.each(['categories', 'tags'])('3: limits descriptions of %s in the same way', async (path) => {
    const text = (length: number) => 'x'.repeat(length - 2);
    expectRefused(await post(`/${path}`, { name: 'Long', description: text(MOST + 1) }), {
      description: 'rest_too_long',
    });
    const { status, body } = await post(`/${path}`, { name: 'Long', description: text(MOST) });
    expect(status).toBe(201);
    const update = (description: string) => post(`/${path}/${body.id}`, { description });
    expectRefused(await update(text(MOST + 1)), { description: 'rest_too_long' });
    await app()
      .app.get(Database)
      .inTransaction((tx) => tx.update('terms', body.id as number, { description: text(MOST + 1) }));
    expect((await update(text(MOST + 1))).status).toBe(200);
  });
});
