import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { ChangeAudience1795405000000 } from '../../src/database/migrations/1795405000000-change-audience.js';
import { withOriginalQueryRunners } from '../../src/database/repositories/repositories.js';
import { useApp } from '../support/events.js';
import { category, event, tag, venue } from '../support/factories.js';

const app = useApp();
const query = <Row>(sql: string, params: (string | number)[] = []) => app().app.get(Database).query<Row>(sql, params);

/** Returns kind, audience and owner of each change since a number. */
async function changesFrom(id: number) {
  const rows = await query<Record<string, string | number>>(
    `SELECT kind, listed_before, listed_after, listed, owner_id FROM changes WHERE id > ? ORDER BY id`,
    [id],
  );
  return rows.map((row) => Object.values(row).join(' '));
}
const lastChange = async () => Number((await query<{ last: number }>('SELECT max(id) AS last FROM changes'))[0]?.last);

test('a change tells whether the record was listed before and is listed after it, and who owns it', async () => {
  const { client, tokens, userIds } = app();
  const { edi, con } = userIds;
  const put = (path: string, body: object) => client.put(path, body, tokens.edi);
  let from = await lastChange();
  const expectChanges = async (...expected: string[]) => {
    expect(await changesFrom(from)).toEqual(expected);
    from = await lastChange();
  };
  const { id } = await event(client, tokens.edi);
  await expectChanges(`event.created 0 1 1 ${edi}`);
  await put(`/events/${id}`, { title: 'New' });
  await expectChanges(`event.updated 1 1 1 ${edi}`);
  await put(`/events/${id}`, { hide_from_listings: true });
  await put(`/events/${id}`, { title: 'Hidden' });
  await put(`/events/${id}`, { hide_from_listings: false });
  await expectChanges(`event.updated 1 0 1 ${edi}`, `event.updated 0 0 0 ${edi}`, `event.updated 0 1 1 ${edi}`);
  await put(`/events/${id}`, { status: 'draft' });
  await put(`/events/${id}`, { author: con });
  await put(`/events/${id}`, { status: 'publish', author: edi });
  await expectChanges(
    `event.updated 1 0 1 ${edi}`,
    // The former author must learn of it, too.
    `event.updated 0 0 0 ${con}`,
    `event.updated 0 0 0 ${edi}`,
    `event.updated 0 1 1 ${edi}`,
  );
  await client.delete(`/events/${id}`, tokens.edi);
  await put(`/events/${id}`, { status: 'publish' });
  await client.delete(`/events/${id}?force=true`, tokens.edi);
  await expectChanges(`event.trashed 1 0 1 ${edi}`, `event.restored 0 1 1 ${edi}`, `event.deleted 1 0 1 ${edi}`);
  await event(client, tokens.edi, { status: 'trash' });
  await venue(client, tokens.con, { status: 'draft' });
  await event(client, tokens.edi, { date: '2030-01-01' });
  await expectChanges(`event.created 0 0 0 ${edi}`, `venue.created 0 0 0 ${con}`, `event.created 0 0 0 ${edi}`);
  const { id: music } = await category(client, tokens.edi, { name: 'Music' });
  await put(`/categories/${music}`, { name: 'Songs' });
  await client.delete(`/categories/${music}`, tokens.edi);
  await tag(client, tokens.edi, { name: 'Red' });
  await expectChanges(
    'category.created 0 1 1 0',
    'category.updated 1 1 1 0',
    'category.deleted 1 0 1 0',
    'tag.created 0 1 1 0',
  );
});

test('a change whose writer names no audience gets the present state of its record', async () => {
  const { client, tokens, userIds } = app();
  const { id } = await event(client, tokens.edi);
  const { id: draft } = await event(client, tokens.edi, { status: 'draft' });
  const from = await lastChange();
  await app()
    .app.get(Database)
    .inTransaction((tx) => {
      tx.recordChange('event.updated', id, 0);
      tx.recordChange('event.created', id, 0);
      tx.recordChange('event.updated', draft, 0);
      tx.recordChange('event.updated', 4_711, 0);
      tx.recordChange('venue.deleted', 4_711, 0);
      tx.recordChange('category.updated', 4_711, 0);
      tx.recordChange('tag.deleted', 4_711, 0);
      tx.recordChange('room.booked', id, 0);
      return Promise.resolve();
    });
  expect(await changesFrom(from)).toEqual([
    `event.updated 1 1 1 ${userIds.edi}`,
    `event.created 0 1 1 ${userIds.edi}`,
    `event.updated 0 0 0 ${userIds.edi}`,
    'event.updated 1 0 1 0',
    'venue.deleted 1 0 1 0',
    'category.updated 1 1 1 0',
    'tag.deleted 1 0 1 0',
    'room.booked 0 0 0 0',
  ]);
});

test('the migration gives old changes the state of their records, also if it begins anew', async () => {
  const { client, tokens, userIds, app: nest } = app();
  const { id } = await event(client, tokens.edi);
  const { id: draft } = await event(client, tokens.con, { status: 'draft' });
  const { id: hall } = await venue(client, tokens.edi, { venue: 'Old' });
  const from = await lastChange();
  const source = nest.get<DataSource>(getDataSourceToken());
  const runner = withOriginalQueryRunners(() => source.createQueryRunner());
  const [{ epoch } = { epoch: '' }] = await query<{ epoch: string }>('SELECT epoch FROM data_version');
  expect(epoch).toMatch(/^[\da-f]{8}$/);
  const old = ['event.updated', 'event.updated', 'event.deleted', 'venue.updated', 'tag.updated'];
  const ids = [id, draft, 4_711, hall, 1];
  for (const [index, kind] of old.entries()) {
    await runner.query(
      `INSERT INTO changes (seq, kind, record_id, user_id, made_utc) VALUES (1, '${kind}', ${ids[index]}, 0, '2026-11-20 08:39:00')`,
    );
  }
  await new ChangeAudience1795405000000().up(runner);
  await runner.release();
  expect(await changesFrom(from)).toEqual([
    `event.updated 1 1 1 ${userIds.edi}`,
    `event.updated 0 0 0 ${userIds.con}`,
    'event.deleted 1 0 1 0',
    `venue.updated 1 1 1 ${userIds.edi}`,
    'tag.updated 1 1 1 0',
  ]);
  const [kept] = await query<{ epoch: string }>('SELECT epoch FROM data_version');
  expect(kept?.epoch).toBe(epoch);
});
