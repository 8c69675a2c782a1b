import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { OperatorError } from '../../src/errors/operator-error.js';
import { PurgeCommand } from '../../src/upkeep/purge.command.js';
import { startApp, type TestApp } from '../support/app.js';
import { event, organizer, venue } from '../support/factories.js';
import { runCli } from '../support/process.js';
import { insertEvent, insertEvents } from '../support/rows.js';
import { told } from '../support/told.js';

const LATER = '2026-12-25T08:39:00Z';

describe('kalends purge', () => {
  let service: TestApp;
  let adm: string;
  beforeEach(async () => {
    service = await startApp();
    adm = service.tokens.adm;
  });
  afterEach(() => service.close());

  const purge = async (options: { trashOlderThan?: string; changesOlderThan?: string; dryRun?: boolean } = {}) => {
    const command = service.app.get(PurgeCommand);
    const { stdout } = await told(() => command.run({ changesOlderThan: '30d', dryRun: false, ...options }));
    return stdout.trimEnd().split('\n');
  };
  const trash = async (path: string) => expect((await service.client.delete(path, adm)).status).toBe(200);
  const status = async (path: string) => (await service.client.get(path, adm)).status;
  const count = async (table: string) => {
    const [row] = await service.app.get(Database).query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
    return Number(row?.n);
  };

  it('deletes permanently only records that have been in the trash for the given time', async () => {
    const { client } = service;
    const kept = await event(client, adm, { title: 'Kept' });
    const hall = await venue(client, adm);
    const ann = await organizer(client, adm);
    const old = await event(client, adm, { title: 'Old', tags: ['a'], venue: hall.id });
    const child = await event(client, adm, { title: 'Child', post_parent: old.id, venue: hall.id, organizer: ann.id });
    for (const path of [`/events/${old.id}`, `/venues/${hall.id}`, `/organizers/${ann.id}`]) await trash(path);
    service.setNow(LATER);
    const young = await event(client, adm, { title: 'Young' });
    await trash(`/events/${young.id}`);

    expect(await purge({ trashOlderThan: '30d', dryRun: true })).toEqual([
      '1 event in the trash would be removed',
      '1 venue in the trash would be removed',
      '1 organizer in the trash would be removed',
      '0 expired idempotency keys would be removed',
      '0 messages of webhooks would be removed',
      expect.stringMatching(/^\d+ rows of the change record would be removed$/),
    ]);
    expect(await purge()).toHaveLength(3);
    expect(await status(`/events/${old.id}`)).toBe(200);
    expect((await purge({ trashOlderThan: '30d' })).slice(0, 3)).toEqual([
      '1 event in the trash removed',
      '1 venue in the trash removed',
      '1 organizer in the trash removed',
    ]);
    for (const path of [`/events/${old.id}`, `/venues/${hall.id}`, `/organizers/${ann.id}`]) {
      expect(await status(path)).toBe(404);
    }
    for (const { id } of [kept, young]) expect(await status(`/events/${id}`)).toBe(200);
    expect((await client.get(`/events/${child.id}`)).body).toMatchObject({ post_parent: 0, venue: [], organizer: [] });
    expect(await count('event_venues')).toBe(0);
    expect(await count('event_terms')).toBe(0);
  });

  it('removes more trashed events than one query returns', async () => {
    const old = Array.from({ length: 410 }, () => ({ status: 'trash' as const }));
    await insertEvents(service, [{}, ...old, {}]);
    service.setNow(LATER);
    expect((await purge({ trashOlderThan: '30d' }))[0]).toBe('410 events in the trash removed');
    expect(await count('events')).toBe(2);
  }, 60_000);

  it('removes expired idempotency keys and old rows of the change record in batches, keeps newer ones', async () => {
    const database = service.app.get(Database);
    const rows = Array.from({ length: 450 }, (_, n) => n);
    const made_utc = '2026-11-20 08:39:00';
    await database.inTransaction(async (tx) => {
      await tx.insertMany(
        'changes',
        rows.map(() => ({ seq: 0, kind: 'event.updated', record_id: 1, user_id: 1, made_utc })),
      );
      await tx.insertMany(
        'idempotency_keys',
        rows.map((n) => ({ key_hash: `old ${n}`, fingerprint: '', owner: '', answer: '', expires_utc: made_utc })),
      );
    });
    service.setNow(LATER);
    const { body } = await service.client.send('/events', {
      method: 'POST',
      token: adm,
      headers: { 'Idempotency-Key': 'new' },
      body: { title: 'New', start_date: '2027-01-01', end_date: '2027-01-02' },
    });
    const keys = await count('idempotency_keys');
    expect(await purge()).toEqual([
      `${keys - 1} expired idempotency keys removed`,
      '0 messages of webhooks removed',
      '450 rows of the change record removed',
    ]);
    expect(await count('idempotency_keys')).toBe(1);
    expect(await database.query('SELECT kind, record_id FROM changes ORDER BY id')).toEqual([
      { kind: 'event.created', record_id: body.id },
      { kind: 'changes.purged', record_id: 0 },
    ]);
    expect(await purge()).toEqual([
      '0 expired idempotency keys removed',
      '0 messages of webhooks removed',
      '0 rows of the change record removed',
    ]);
  });

  it('HOOK-14: tells paused webhooks what they have missed, and keeps for active ones what they have not taken', async () => {
    const hook = (fields: object = {}) =>
      service.client.post('/webhooks', { url: 'https://receiver.example/', ...fields }, adm);
    const read = async (id: number) =>
      (await service.client.get(`/webhooks/${id}`, adm)).body as Record<string, unknown>;
    const { body: active } = await hook();
    const { body: paused } = await hook({ active: false });
    const { body: dead } = await hook();
    for (let n = 0; n < 3; n += 1) await event(service.client, adm);
    for (let n = 0; n < 2; n += 1) await service.client.post(`/webhooks/${dead.id}/test`, undefined, adm);
    await service.client.delete(`/webhooks/${dead.id}`, adm);
    service.setNow('2026-11-25T08:39:00Z');
    const changes = await count('changes');
    expect((await purge({ changesOlderThan: '1d' })).slice(1)).toEqual([
      '2 messages of webhooks removed',
      '0 rows of the change record removed',
    ]);
    expect(await read(paused.id)).toMatchObject({ missed_before_utc: '' });
    service.setNow('2026-12-25T08:39:00Z');
    expect((await purge({ changesOlderThan: '1d' })).at(-1)).toBe(`${changes} rows of the change record removed`);
    for (const { id } of [active, paused]) {
      expect(await read(id)).toMatchObject({ missed_before_utc: '2026-12-24 08:39:00' });
    }
    const replay = (from: string) => service.client.post(`/webhooks/${paused.id}/replay`, { from }, adm);
    const expired = await replay('2026-11-20 08:00');
    expect([expired.status, expired.body.code, expired.body.data.reason]).toEqual([
      410,
      'changes-token-expired',
      'age',
    ]);
    expect((await replay('2026-12-24 09:00')).body).toEqual({ queued: 0 });
    expect(await read(paused.id)).toMatchObject({ missed_before_utc: '' });
  });

  it('validates all ages before it removes anything, and needs a user only to empty the trash', async () => {
    const { id } = await event(service.client, adm);
    await trash(`/events/${id}`);
    service.setNow(LATER);
    for (const wrong of [{ changesOlderThan: '30' }, { changesOlderThan: '' }, { trashOlderThan: '-1d' }]) {
      await expect(purge({ trashOlderThan: '1d', ...wrong })).rejects.toThrow(
        /^--(changes|trash)-older-than: ".*" is not an age/,
      );
    }
    expect(await status(`/events/${id}`)).toBe(200);
    await service.app.get(Database).inTransaction((tx) => tx.execute(`DELETE FROM ${TABLES.users}`, []));
    expect(await purge()).toHaveLength(3);
    await expect(purge({ trashOlderThan: '1d' })).rejects.toThrow(OperatorError);
  });

  it('keeps records that a running server restores or creates during the purge', async () => {
    const { client } = service;
    const ids: number[] = [];
    for (let n = 0; n < 150; n += 1) {
      ids.push(
        await insertEvent(service, { status: 'trash', restore_slug: `old-${n}`, modified_utc: '2020-01-01 00:00:00' }),
      );
    }
    const settings = { DATABASE_URL: service.databaseUrl };
    let isPurging = true;
    const purging = runCli(['purge', '--trash-older-than', '30d'], settings);
    void purging.finally(() => (isPurging = false));
    const ledger = { restored: [] as number[], created: [] as number[] };
    while (isPurging && (await status(`/events/${ids[0]}`)) === 200) await sleep(10);
    // Restores begin with the last id, so that they meet the purge, which begins with the first.
    for (let id = ids.pop(); id !== undefined && isPurging; id = ids.pop()) {
      const reply = await client.put(`/events/${id}`, { status: 'publish' }, adm);
      if (reply.status === 200) ledger.restored.push(id);
      else expect(reply.status).toBe(404);
      ledger.created.push((await event(client, adm, { title: 'Meanwhile' })).id as number);
    }
    const { code, stderr, stdout } = await purging;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Database: .+\n$/)]);
    expect(ledger.restored.length).toBeGreaterThan(0);
    expect(stdout).toContain(`${150 - ledger.restored.length} events in the trash removed\n`);
    for (const id of [...ledger.restored, ...ledger.created]) expect(await status(`/events/${id}`)).toBe(200);
    expect(await count("events WHERE status = 'trash'")).toBe(0);
  }, 60_000);
});
