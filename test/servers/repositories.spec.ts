import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { type GatedApp, startGated } from '../support/gated-app.js';
import { errorOf, latch } from '../support/latch.js';
import { whileHeld } from '../support/lock.js';
import { forgetRooms, Room, withRooms } from '../support/rooms.js';
import { until } from '../support/until.js';

/** Repositories of modules when the server ends a transaction; test/engine/repositories.spec.ts has the rest. */
let app: GatedApp;
let database: Database;
let source: DataSource;
let rooms: Repository<Room>;
beforeAll(async () => {
  app = await startGated({ DATABASE_WRITE_TIMEOUT: '1', DATABASE_READ_TIMEOUT: '1' }, withRooms());
  database = app.service.app.get(Database);
  source = app.service.app.get(DataSource);
  rooms = source.getRepository(Room);
});
afterAll(async () => {
  await app.close();
  forgetRooms(source);
});

const isThere = (name: string) => rooms.existsBy({ name });
const isUnavailable = async (work: Promise<unknown>) => database.isUnavailable(await errorOf(work));
/** All connections of writes are free again. */
const writesWork = (name: string) =>
  Promise.all(Array.from({ length: 8 }, (_, n) => rooms.insert({ name: `${name} ${n}` })));

test('after a deadlock nothing is committed, even if the work of the transaction ignores it', async () => {
  const work = async (manager: EntityManager, name: string) => {
    await manager.insert(Room, { name });
    await expect(manager.query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213")).rejects.toThrow();
    await expect(manager.insert(Room, { name: `${name} later` })).rejects.toThrow();
  };
  let attempts = 0;
  const ofService = database.inTransaction((tx) => {
    attempts += 1;
    return work(tx.manager, 'Of the service');
  });
  expect(await isUnavailable(ofService)).toBe(true);
  expect(attempts).toBeGreaterThan(1);
  expect(await isUnavailable(source.transaction((manager) => work(manager, 'Of the module')))).toBe(true);
  expect(await rooms.count()).toBe(0);
  await writesWork('After the deadlock');
});

test('a lost connection frees its place at once, and the commit fails', async () => {
  const [lost, ended] = [latch(), latch()];
  const transaction = source.transaction(async (manager) => {
    await manager.insert(Room, { name: 'Lost' });
    const [{ id }] = await manager.query<[{ id: number }]>('SELECT connection_id() AS id');
    await whileHeld(app.databaseUrl, [`KILL ${id}`], () => sleep(100));
    await expect(manager.insert(Room, { name: 'Later' })).rejects.toThrow();
    lost.open();
    await ended.opened;
  });
  transaction.catch(() => undefined);
  await lost.opened;
  await until(() => database.load().idle === database.load().open);
  ended.open();
  expect(await isUnavailable(transaction)).toBe(true);
  expect([await isThere('Lost'), await isThere('Later')]).toEqual([false, false]);
  await writesWork('After the loss');
});

test('a write whose connection was lost before it began is sent by another one', async () => {
  await rooms.count();
  app.gate.cut();
  await rooms.insert({ name: 'By another' });
  app.gate.cut();
  await source.transaction((manager) => manager.insert(Room, { name: 'By another, too' }));
  expect([await isThere('By another'), await isThere('By another, too')]).toEqual([true, true]);
});

test('a commit whose answer is lost is not repeated, and reported as unavailable', async () => {
  for (const [name, write] of [
    ['Alone', () => rooms.insert({ name: 'Alone' })],
    ['Saved', () => rooms.save({ name: 'Saved' })],
  ] as const) {
    app.gate.loseCommit(0);
    expect(await isUnavailable(write())).toBe(true);
    await until(() => isThere(name));
  }
});

test('a statement that waits too long for a lock frees its connection', async () => {
  await rooms.insert({ name: 'Locked' });
  const locked = ['START TRANSACTION', "UPDATE rooms SET seats = 1 WHERE name = 'Locked'"];
  await whileHeld(app.databaseUrl, locked, async () => {
    const updates = Array.from({ length: 6 }, () => rooms.update({ name: 'Locked' }, { seats: 2 }));
    expect(await Promise.all(updates.map(isUnavailable))).toEqual(updates.map(() => true));
  });
  await writesWork('After the lock');
});

test('the deadline of a request ends statements of a server that is silent', async () => {
  await rooms.insert({ name: 'Before' });
  const inRequest = (work: () => Promise<unknown>) => isUnavailable(database.withDeadlineFor('write', work));
  const inTransaction = source.transaction.bind(source);
  app.gate.freeze();
  try {
    const ended = await Promise.all([
      inRequest(() => rooms.find()),
      inRequest(() => rooms.insert({ name: 'Silence' })),
      inRequest(() => inTransaction((manager) => manager.insert(Room, { name: 'Silence, too' }))),
    ]);
    expect(ended).toEqual([true, true, true]);
  } finally {
    app.gate.thaw();
  }
  const isEnded = inRequest(() =>
    inTransaction(async (manager) => {
      await manager.insert(Room, { name: 'Then silence' });
      app.gate.freeze();
      await manager.insert(Room, { name: 'Never' });
    }),
  );
  expect(await isEnded).toBe(true);
  app.gate.thaw();
  await writesWork('After the silence');
  expect(await rooms.countBy({ name: 'Then silence' })).toBe(0);
});
