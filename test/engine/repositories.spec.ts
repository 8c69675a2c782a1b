import { setTimeout as sleep } from 'node:timers/promises';
import { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, Not, type Repository } from 'typeorm';
import { wireApp } from '../../src/create-app.js';
import { cachedQuery } from '../../src/database/cache/read-cache.js';
import { Connector } from '../../src/database/connector.js';
import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import { EventRow } from '../../src/events/event.entity.js';
import { startOwnApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/database.js';
import { event } from '../support/factories.js';
import { errorOf, latch } from '../support/latch.js';
import { whileWritesWait } from '../support/lock.js';
import { Random } from '../support/random.js';
import { Booking, forgetRooms, Room, withRooms, RoomSubscriber } from '../support/rooms.js';

let service: TestApp;
let database: Database;
let source: DataSource;
let rooms: Repository<Room>;
beforeAll(async () => {
  service = await startOwnApp({ RATE_LIMIT: '100000/3600' }, withRooms());
  database = service.app.get(Database);
  source = service.app.get(DataSource);
  rooms = service.app.get<Repository<Room>>(getRepositoryToken(Room));
});
afterAll(async () => {
  await service.close();
  forgetRooms(source);
});

const OWN_TABLES: readonly string[] = Object.values(TABLES);
let names = 0;
const newName = () => `Room ${(names += 1)}`;
const isThere = (name: string) => rooms.existsBy({ name });
/** Writes are as possible as before. */
const writesWork = async () => {
  const name = newName();
  await rooms.insert({ name });
  expect(await isThere(name)).toBe(true);
  await event(service.client, service.tokens.adm);
};

/** A transaction of the service that is open until `end` is called, which commits it or fails. */
async function openTransaction(name: string, failure?: Error) {
  const [begun, ended] = [latch(), latch()];
  const done = database.inTransaction(async (tx) => {
    await tx.insertMany(TABLES.nameLocks, [{ name }]);
    begun.open();
    await ended.opened;
    if (failure !== undefined) throw failure;
  });
  done.catch(() => undefined);
  await begun.opened;
  return { done, end: () => ended.open() };
}

const lockExists = async (name: string) =>
  (await database.query(`SELECT name FROM ${TABLES.nameLocks} WHERE name = ?`, [name])).length === 1;

describe('a repository beside transactions of others', () => {
  test('an acknowledged insert is not undone when another transaction is rejected', async () => {
    const name = newName();
    const other = await openTransaction('rejected', new Error('rejected'));
    const inserted = rooms.insert({ name });
    await sleep(100);
    other.end();
    await expect(other.done).rejects.toThrow('rejected');
    await inserted;
    expect([await isThere(name), await lockExists('rejected')]).toEqual([true, false]);
  });

  test('`save` beside another COMMIT breaks neither', async () => {
    const name = newName();
    const other = await openTransaction('committed');
    const saved = rooms.save({ name });
    await sleep(100);
    other.end();
    await other.done;
    const { id } = await saved;
    expect(await rooms.findOneBy({ id })).toMatchObject({ name });
    expect(await lockExists('committed')).toBe(true);
  });

  test('writes wait for another process that writes', async () => {
    const names = [newName(), newName()] as const;
    let writes: Promise<unknown> = Promise.resolve();
    await whileWritesWait(service, async () => {
      writes = Promise.all([
        rooms.insert({ name: names[0] }),
        source.transaction((manager) => manager.insert(Room, { name: names[1] })),
      ]);
      await sleep(300);
    });
    await writes;
    expect(await rooms.countBy({ name: In([...names]) })).toBe(2);
  });

  test('200 writes at once, beside requests that are rejected, are all there', async () => {
    const { client, tokens } = service;
    await client.post('/tags', { name: 'Taken' }, tokens.adm);
    const all = Array.from({ length: 200 }, newName);
    const write = (name: string, n: number) => (n % 2 === 0 ? rooms.insert({ name }) : rooms.save({ name }));
    const writes = Promise.all(all.map((name, n) => database.withDeadlineFor('write', () => write(name, n))));
    for (let n = 0; n < 20; n += 1) {
      expect((await client.post('/tags', { name: 'Taken' }, tokens.adm)).status).toBeGreaterThanOrEqual(400);
      const failing = database.inTransaction((tx) => tx.manager.insert(Room, { name: 'Taken back' }).then(fail));
      await expect(failing).rejects.toThrow('on purpose');
    }
    await writes;
    expect(await rooms.countBy({ name: In(all) })).toBe(200);
    expect(await isThere('Taken back')).toBe(false);
  });
});

const fail = () => Promise.reject(new Error('on purpose'));

/** Nightly there are 1,000. */
const INTERLEAVINGS = Number(process.env.INTERLEAVINGS ?? 300);

describe(`${INTERLEAVINGS.toLocaleString('en')} random interleavings`, () => {
  /** What must be there in the end, by the acknowledgements. */
  const kept = { rooms: new Set<string>(), tags: new Set<string>() };
  const name = (random: Random) => `Mixed ${random.between(0, 1e9)}`;

  type Step = (random: Random) => Promise<void>;
  const pause = (random: Random) => (random.chance(0.5) ? sleep(random.between(0, 3)) : Promise.resolve());
  const acknowledged = (...names: string[]) => names.forEach((each) => kept.rooms.add(each));

  const twoRooms = (random: Random) => {
    const both = [name(random), name(random)] as const;
    const write = async (manager: EntityManager) => {
      await manager.insert(Room, { name: both[0] });
      await pause(random);
      await manager.save(Room, { name: both[1] });
      await pause(random);
    };
    return { both, write };
  };

  const steps: Record<string, Step> = {
    save: async (random) => acknowledged((await rooms.save({ name: name(random) })).name),
    insert: async (random) => {
      const own = name(random);
      await rooms.insert({ name: own });
      acknowledged(own);
    },
    'save of two': async (random) =>
      acknowledged(...(await rooms.save([{ name: name(random) }, { name: name(random) }])).map((room) => room.name)),
    rename: async (random) => {
      const [before] = kept.rooms;
      if (before === undefined) return;
      kept.rooms.delete(before);
      const after = name(random);
      expect((await rooms.update({ name: before }, { name: after })).affected).toBe(1);
      acknowledged(after);
    },
    delete: async () => {
      const [before] = kept.rooms;
      if (before === undefined) return;
      kept.rooms.delete(before);
      expect((await rooms.delete({ name: before })).affected).toBe(1);
    },
    'duplicate insert': async (random) => {
      const own = name(random);
      await expect(rooms.insert([{ name: own }, { name: own }])).rejects.toThrow(/unique|duplicate/i);
    },
    transaction: async (random) => {
      const { both, write } = twoRooms(random);
      await source.transaction(write);
      acknowledged(...both);
    },
    'transaction that fails': async (random) => {
      const { write } = twoRooms(random);
      await expect(source.transaction((manager) => write(manager).then(fail))).rejects.toThrow('on purpose');
    },
    'query runner': async (random) => {
      const { both, write } = twoRooms(random);
      const isCommitted = random.chance(0.5);
      const runner = source.createQueryRunner();
      await runner.connect();
      await runner.startTransaction();
      await write(runner.manager);
      await (isCommitted ? runner.commitTransaction() : runner.rollbackTransaction());
      await runner.release();
      if (isCommitted) acknowledged(...both);
    },
    'tx.manager': async (random) => {
      const { both, write } = twoRooms(random);
      await database.inTransaction((tx) => write(tx.manager));
      acknowledged(...both);
    },
    'tx.manager in a transaction that fails': async (random) => {
      const { write } = twoRooms(random);
      const failing = database.inTransaction((tx) => write(tx.manager).then(fail));
      await expect(failing).rejects.toThrow('on purpose');
    },
    request: async (random) => {
      const own = name(random);
      const { status } = await service.client.post('/tags', { name: own }, service.tokens.adm);
      expect(status).toBe(201);
      kept.tags.add(own);
    },
    'rejected request': async () => {
      const { status } = await service.client.post('/tags', { name: 'Taken twice' }, service.tokens.adm);
      expect(status).toBeGreaterThanOrEqual(400);
    },
    read: async (random) => {
      await rooms.find({ take: random.between(1, 5), relations: { bookings: true } });
    },
  };

  test('all that was acknowledged is there, and nothing else', async () => {
    await service.client.post('/tags', { name: 'Taken twice' }, service.tokens.adm);
    const choices = Object.values(steps);
    let left = INTERLEAVINGS;
    const work = async (seed: number) => {
      for (const random = new Random(seed); left > 0;) {
        left -= 1;
        await random.pick(choices)(random);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, seed) => work(seed + 1)));
    const found = await database.query<{ name: string }>(`SELECT name FROM rooms WHERE name LIKE 'Mixed %'`);
    expect(found.map((row) => row.name).toSorted()).toEqual([...kept.rooms].toSorted());
    const tags = await database.query<{ name: string }>(`SELECT name FROM ${TABLES.terms} WHERE name LIKE 'Mixed %'`);
    expect(tags.map((row) => row.name).toSorted()).toEqual([...kept.tags].toSorted());
  }, 300_000);
});

describe('the change record and the cache', () => {
  const lastChanges = async (count: number) =>
    (
      await database.query<{ seq: number; kind: string; record_id: number }>(
        `SELECT seq, kind, record_id FROM ${TABLES.changes} ORDER BY id DESC LIMIT ${count}`,
      )
    ).reverse();
  const version = async () =>
    (await database.query<{ version: number }>(`SELECT version FROM ${TABLES.dataVersion}`))[0]!.version;

  test('a repository write shows in cached reads at once', async () => {
    const cachedNames = async () => {
      const cache = await database.cachedReads({ nowUtc: '2026-11-20 08:39:00' });
      return (await cachedQuery<{ name: string }>(cache, 'SELECT name FROM rooms', [])).map(({ name }) => name);
    };
    await cachedNames();
    for (const write of [(name: string) => rooms.insert({ name }), (name: string) => rooms.save({ name })]) {
      const name = newName();
      await write(name);
      expect(await cachedNames()).toContain(name);
    }
    const name = newName();
    await source.transaction((manager) => manager.insert(Room, { name }));
    expect(await cachedNames()).toContain(name);
    await source.query('DELETE FROM rooms WHERE name = ?', [name]);
    expect(await cachedNames()).not.toContain(name);
  });

  test('each transaction that wrote has one change `extension.changed`; one that only read has none', async () => {
    const before = await version();
    await rooms.insert({ name: newName() });
    expect(await lastChanges(1)).toEqual([{ seq: before + 1, kind: 'extension.changed', record_id: 0 }]);
    await source.transaction(async (manager) => {
      for (let n = 0; n < 3; n += 1) await manager.save(Room, { name: newName() });
    });
    expect(await version()).toBe(before + 2);
    expect((await lastChanges(2)).map(({ seq }) => seq)).toEqual([before + 1, before + 2]);
    await source.transaction((manager) => manager.find(Room));
    await expect(
      source.transaction((manager) => manager.insert(Room, { name: newName() }).then(fail)),
    ).rejects.toThrow();
    expect(await version()).toBe(before + 2);
  });

  test('in a transaction of the service it is the last change', async () => {
    await database.inTransaction(async (tx) => {
      await tx.manager.insert(Room, { name: newName() });
      await tx.manager.insert(Room, { name: newName() });
      tx.recordChange('event.updated', 1, 0);
    });
    expect((await lastChanges(2)).map(({ kind }) => kind)).toEqual(['event.updated', 'extension.changed']);
  });
});

describe('writes of the tables of the service', () => {
  const rejected: [string, RegExp, () => Promise<unknown>][] = [
    [
      'Repository.update',
      /table events .* EventsService/,
      () => source.getRepository(EventRow).update(1, { title: 'x' }),
    ],
    ['Repository.delete', /EventsService/, () => source.getRepository(EventRow).delete({ id: 1 })],
    ['Repository.save', /EventsService/, () => source.getRepository(EventRow).save({ title: 'x' })],
    ['Repository.clear', /EventsService/, () => source.getRepository(EventRow).clear()],
    [
      'query builder',
      /VenuesService/,
      () => source.createQueryBuilder().update('venues').set({ title: 'x' }).execute(),
    ],
    ['query, bare', /CategoriesService or TagsService/, () => source.query('DELETE FROM terms')],
    ['query, in quotes', /UsersService/, () => source.query('UPDATE `users` SET login = 1')],
    [
      'query with a join',
      /EventsService/,
      () => source.query('UPDATE rooms r JOIN events e ON e.id = r.id SET seats = 1'),
    ],
    ['migrations', /table migrations .*`Database\.inTransaction`/, () => source.query('DELETE FROM migrations')],
    ['a definition', /EventsService/, () => source.query('DROP TABLE events')],
    ['an index, without its table', /EventsService/, () => source.query('DROP INDEX ux_events_slug')],
    [
      'in a transaction',
      /data_version/,
      () => source.transaction((manager) => manager.query('DELETE FROM data_version')),
    ],
    [
      'tx.manager',
      /EventsService/,
      () => database.inTransaction((tx) => tx.manager.update(EventRow, 1, { title: 'x' })),
    ],
    ['a setting of the connection', /not allowed/, () => source.query('SET autocommit = 0')],
  ];
  test.each(rejected)('%s: rejected with an error that names the service', async (_, message, write) => {
    const { id } = await event(service.client, service.tokens.adm, { title: 'Mine' });
    await expect(write()).rejects.toThrow(message);
    expect((await service.client.get(`/events/${id}`)).body.title).toBe('Mine');
    await writesWork();
  });

  test('each of their indexes is known as theirs', async () => {
    const own = source.entityMetadatas.filter(({ tableName }) => OWN_TABLES.includes(tableName));
    const indexes = own.flatMap(({ tableName, indices }) =>
      indices.map(({ name }) => [tableName, name ?? ''] as const),
    );
    expect(indexes.length).toBeGreaterThan(20);
    for (const [table, index] of indexes) {
      await expect(source.query(`DROP INDEX ${index}`)).rejects.toThrow(`table ${table} of this service`);
    }
    await expect(source.query('DROP INDEX ix_rooms_none')).rejects.toThrow(/ix_rooms_none|syntax/);
  });

  test('reads of them, and columns of their names, are allowed', async () => {
    await event(service.client, service.tokens.adm, { title: 'Readable' });
    expect(await source.getRepository(EventRow).existsBy({ title: 'Readable' })).toBe(true);
    const name = newName();
    await source.query(`INSERT INTO rooms (name, site) SELECT '${name}', title FROM events WHERE title = 'Readable'`);
    await source.query(
      `UPDATE rooms SET site = 'events', seats = (SELECT count(*) FROM events) WHERE name = '${name}'`,
    );
    expect(await rooms.findOneByOrFail({ name })).toMatchObject({ site: 'events' });
  });
});

describe('Database.inTransaction', () => {
  test('tx.manager commits and rolls back with the transaction', async () => {
    const [kept, lost] = [newName(), newName()];
    await database.inTransaction(async (tx) => {
      await tx.manager.save(Room, { name: kept });
      expect(await tx.manager.existsBy(Room, { name: kept })).toBe(true);
      expect(await isThere(kept)).toBe(false);
    });
    await expect(database.inTransaction((tx) => tx.manager.save(Room, { name: lost }).then(fail))).rejects.toThrow();
    expect([await isThere(kept), await isThere(lost)]).toEqual([true, false]);
  });

  test('a transaction of tx.manager is a savepoint', async () => {
    const [kept, lost, inner] = [newName(), newName(), newName()];
    await database.inTransaction(async ({ manager }) => {
      await manager.insert(Room, { name: kept });
      await expect(manager.transaction((own) => own.insert(Room, { name: lost }).then(fail))).rejects.toThrow();
      await manager.transaction((own) => own.insert(Room, { name: inner }));
    });
    expect([await isThere(kept), await isThere(lost), await isThere(inner)]).toEqual([true, false, true]);
  });

  const writes: [string, () => Promise<unknown>][] = [
    ['insert', () => rooms.insert({ name: newName() })],
    ['save', () => rooms.save({ name: newName() })],
    ['DataSource.transaction', () => source.transaction((manager) => manager.insert(Room, { name: newName() }))],
    ['query', () => source.query('DELETE FROM rooms')],
    ['Database.inTransaction', () => database.inTransaction(() => Promise.resolve())],
  ];
  test.each(writes)('%s inside fails at once with an error that names tx.manager', async (_, write) => {
    const failing = database.inTransaction(async () => {
      await write();
    });
    await expect(failing).rejects.toThrow(/tx\.manager/);
    await writesWork();
  });

  test.each(writes)('%s inside DataSource.transaction names the EntityManager of its callback', async (_, write) => {
    await expect(source.transaction(() => write())).rejects.toThrow(/EntityManager that its callback gets/);
    await writesWork();
  });

  test('what it has started may write once it is over; its manager may not', async () => {
    const name = newName();
    const [over, late] = [latch(), latch()];
    let later: Promise<unknown> = Promise.resolve();
    let manager: EntityManager | undefined;
    await database.inTransaction((tx) => {
      manager = tx.manager;
      later = over.opened.then(() => rooms.insert({ name })).finally(() => late.open());
      return Promise.resolve();
    });
    over.open();
    await Promise.all([later, late.opened]);
    expect(await isThere(name)).toBe(true);
    await expect(manager?.insert(Room, { name: newName() })).rejects.toThrow('The transaction is over.');
  });
});

describe('a definition, which MySQL and MariaDB begin with a commit', () => {
  const definitions = ['TRUNCATE TABLE rooms', 'CREATE TABLE more_rooms (id int)', 'DROP INDEX ix_rooms_none'];

  test.each(definitions)('%s in a transaction is rejected, so that nothing is half written', async (sql) => {
    const [first, second] = [newName(), newName()];
    const write = (name: string) => async (manager: EntityManager) => {
      await manager.insert(Room, { name });
      await manager.query(sql);
    };
    await expect(source.transaction(write(first))).rejects.toThrow('would commit the open transaction');
    const inOurs = database.inTransaction((tx) => write(second)(tx.manager));
    await expect(inOurs).rejects.toThrow('would commit the open transaction');
    expect([await isThere(first), await isThere(second)]).toEqual([false, false]);
    await writesWork();
  });

  test('alone it is sent, and leaves a change', async () => {
    const version = async () =>
      (await database.query<{ version: number }>(`SELECT version FROM ${TABLES.dataVersion}`))[0]!.version;
    const before = await version();
    await source.query('CREATE TABLE more_rooms (id int)');
    await source.query('DROP TABLE more_rooms');
    expect(await version()).toBe(before + 2);
  });
});

describe("TypeORM's ways to read and write", () => {
  test('query builder: insert, update, delete, and their results', async () => {
    const name = newName();
    const { identifiers } = await rooms.createQueryBuilder().insert().values({ name, open: true }).execute();
    const { id } = identifiers[0] as { id: number };
    expect(await rooms.findOneBy({ id })).toMatchObject({ name, open: true, seats: 0 });
    const updated = await rooms.createQueryBuilder().update().set({ seats: 7 }).where({ id }).execute();
    const seats = await rooms
      .createQueryBuilder('r')
      .select('r.seats', 'seats')
      .where({ id })
      .getRawOne<{ seats: number }>();
    const deleted = await rooms.createQueryBuilder().delete().where({ id }).execute();
    expect([updated.affected, seats, deleted.affected, await isThere(name)]).toEqual([1, { seats: 7 }, 1, false]);
  });

  test('relations: saved by cascade, found with relations', async () => {
    const { id } = await rooms.save({ name: newName(), bookings: [{ guest: 'Ann' }, { guest: 'Eve' }] });
    const found = await rooms.findOneOrFail({ where: { id }, relations: { bookings: true } });
    expect(found.bookings.map(({ guest }) => guest).toSorted()).toEqual(['Ann', 'Eve']);
    const [bookings, count] = await source.getRepository(Booking).findAndCount({ where: { room: { id } }, take: 1 });
    expect([bookings.length, count]).toEqual([1, 2]);
  });

  test('upsert, increment, and a save that changes nothing', async () => {
    const name = newName();
    for (const seats of [1, 2]) await rooms.upsert({ name, seats }, ['name']);
    await rooms.increment({ name }, 'seats', 5);
    const room = await rooms.findOneByOrFail({ name });
    expect(room.seats).toBe(7);
    await rooms.save(room);
    await rooms.remove(room);
    expect(await isThere(name)).toBe(false);
  });

  test('a query runner: savepoints, an isolation level, its own uncommitted rows', async () => {
    const [kept, lost] = [newName(), newName()];
    const runner = source.createQueryRunner();
    await runner.connect();
    await runner.startTransaction('SERIALIZABLE');
    await runner.manager.insert(Room, { name: kept });
    await runner.startTransaction();
    await runner.manager.insert(Room, { name: lost });
    expect(await runner.manager.existsBy(Room, { name: lost })).toBe(true);
    await runner.rollbackTransaction();
    await runner.commitTransaction();
    await runner.release();
    await expect(runner.query('SELECT 1')).rejects.toThrow(/released/);
    expect([await isThere(kept), await isThere(lost)]).toEqual([true, false]);
    expect((await runner.manager.dataSource.query<unknown[]>('SELECT 1')).length).toBe(1);
  });

  test('query: values as TypeORM takes them', async () => {
    const name = newName();
    await source.query('INSERT INTO rooms (name, open) VALUES (?, ?)', [name, true]);
    const rows = await source.query<unknown[]>('SELECT name FROM rooms WHERE open = ? AND name = ?', [true, name]);
    expect(rows).toEqual([{ name }]);
  });

  test('subscribers that a provider adds are called', async () => {
    const name = newName();
    await rooms.save({ name });
    expect(service.app.get(RoomSubscriber).inserted).toContain(name);
  });

  test('a query before the database is open waits for it', async () => {
    const own = await createMigratedDatabase();
    const before = { ...process.env };
    Object.assign(process.env, { LOG_LEVEL: 'silent', DATABASE_URL: own.url });
    const app = await wireApp(withRooms()).finally(() => (process.env = before));
    const early = app.get<Repository<Room>>(getRepositoryToken(Room));
    const statements = Promise.all([early.count(), early.save({ name: 'Early' })]);
    let isDone = false;
    const done = statements.then(() => (isDone = true));
    await sleep(200);
    expect(isDone).toBe(false);
    await app.get(Connector).connect('requests');
    await done;
    expect(await early.existsBy({ name: 'Early' })).toBe(true);
    await app.close();
    await own.drop();
  });
});

describe('whatever ends a transaction', () => {
  test('a duplicate whose value reads like a lost connection is a duplicate', async () => {
    for (const name of ['Connection lost', 'EPIPE', 'in closed state']) {
      await rooms.insert({ name });
      const error = await errorOf(database.inTransaction((tx) => tx.manager.insert(Room, { name })));
      expect([database.isUnavailable(error), database.dialect.isDuplicate(error)]).toEqual([false, true]);
    }
  });

  test('release without commit rolls back', async () => {
    const name = newName();
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.insert(Room, { name });
    await runner.release();
    expect(await isThere(name)).toBe(false);
    await writesWork();
  });

  test('an error of a statement', async () => {
    const [taken, lost] = [newName(), newName()];
    await rooms.insert({ name: taken });
    const failing = source.transaction(async (manager) => {
      await manager.insert(Room, { name: lost });
      await manager.insert(Room, { name: taken });
    });
    await expect(failing).rejects.toThrow(/unique|duplicate/i);
    await expect(rooms.insert({ name: taken })).rejects.toThrow(/unique|duplicate/i);
    await expect(source.query('INSERT INTO no_such_table VALUES (1)')).rejects.toThrow(/no_such_table/);
    expect(await isThere(lost)).toBe(false);
    await writesWork();
  });
});

describe('the deadline of a request', () => {
  let late: TestApp;
  let lateRooms: Repository<Room>;
  beforeAll(async () => {
    late = await startOwnApp({ DATABASE_WRITE_TIMEOUT: '1' }, withRooms());
    lateRooms = late.app.get<Repository<Room>>(getRepositoryToken(Room));
  });
  afterAll(() => late.close());
  const inRequest = <Result>(work: () => Promise<Result>) => late.app.get(Database).withDeadlineFor('write', work);

  test('ends a write that waits, and a transaction', async () => {
    const errors = await whileWritesWait(late, () =>
      Promise.all([
        errorOf(inRequest(() => lateRooms.insert({ name: 'Late' }))),
        errorOf(inRequest(() => lateRooms.save({ name: 'Later' }))),
        errorOf(inRequest(() => lateRooms.manager.transaction((manager) => manager.insert(Room, { name: 'Latest' })))),
      ]),
    );
    expect(errors.map((error) => late.app.get(Database).isUnavailable(error))).toEqual([true, true, true]);
    expect(await lateRooms.count()).toBe(0);
    await inRequest(() => lateRooms.insert({ name: 'In time' }));
  });

  test('frees the connection of a transaction that takes too long, and its commit fails', async () => {
    const slow = errorOf(
      inRequest(() =>
        lateRooms.manager.transaction(async (manager) => {
          await manager.insert(Room, { name: 'Slow' });
          await sleep(2_500);
        }),
      ),
    );
    await sleep(1_500);
    // Its connection is free before its own work has ended.
    await inRequest(() => lateRooms.insert({ name: 'Meanwhile' }));
    expect(late.app.get(Database).isUnavailable(await slow)).toBe(true);
    expect(await lateRooms.countBy({ name: Not('In time') })).toBe(1);
  });
});
