import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, restore } from '../../src/database/sqlite-backup.js';
import { BetterSqlite3 } from '../../src/database/connection/sqlite-driver.js';
import { readCalendar } from '../support/calendar.js';
import { Client } from '../support/client.js';
import { event } from '../support/factories.js';
import { runCli, startServer } from '../support/process.js';

const TOKEN = 'operators-token-of-at-least-32-characters';

/** These tests use the embedded database only, whichever engine the suite runs on. */
describe('kalends backup and restore', () => {
  let folder: string;
  let file: string;
  let url: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kalends-backup-'));
    file = join(folder, 'kalends.sqlite');
    url = `sqlite:${file}`;
  });

  const titlesIn = (path: string) => {
    const database = new BetterSqlite3(path, { fileMustExist: true });
    const titles = database.prepare('SELECT title FROM events ORDER BY id').pluck().all() as string[];
    database.close();
    return titles;
  };
  const linkTo = (path: string) => {
    const link = join(folder, 'link');
    symlinkSync(path, link);
    return link;
  };
  /** Creates a database as a migration leaves it, with events of these titles. */
  const make = (path: string, ...titles: string[]) => {
    const database = new BetterSqlite3(path);
    database.exec('CREATE TABLE migrations (name TEXT); CREATE TABLE events (id INTEGER PRIMARY KEY, title TEXT)');
    database.exec("INSERT INTO migrations VALUES ('InitialSchema1795132800000')");
    for (const title of titles) database.prepare('INSERT INTO events (title) VALUES (?)').run(title);
    database.close();
  };

  it('GEN-05, ICS-23: backs up a running server without loss of acknowledged writes, restores only a stopped one', async () => {
    const settings = { DATABASE_URL: url, KALENDS_ADMIN_TOKEN: TOKEN };
    const server = await startServer(settings, folder);
    const client = new Client(server.port, '/calendar/events/v1');
    const acknowledged: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        const title = `Event ${acknowledged.length}`;
        await event(client, TOKEN, { title });
        acknowledged.push(title);
      }
    })();
    while (acknowledged.length < 20) await new Promise((done) => setTimeout(done, 10));
    const before = acknowledged.length;
    const copy = join(folder, 'copy.sqlite');
    const { code, stdout, stderr } = await runCli(['backup', copy], settings, folder);
    expect([code, stdout, stderr]).toEqual([0, `${copy} is a backup of the database.\n`, `Database: ${file}\n`]);
    const globalIdFrom = async (from: Client) => (await from.get('/events/1')).body.global_id as string;
    const globalId = await globalIdFrom(client);
    expect(globalId).toMatch(/^[0-9a-f]{12}\.kalends\?id=1$/);
    const uidFrom = async (from: Client) => readCalendar(await from.get('/events/1.ics'))[0]!.uid;
    const uid = await uidFrom(client);
    expect(uid).toBe(`1-${globalId.slice(0, 12)}@kalends`);
    const during = await runCli(['restore', copy, '--force'], settings, folder);
    expect([during.code, during.stdout]).toEqual([1, '']);
    expect(during.stderr).toContain('is in use: stop the server first');
    isWriting = false;
    await writing;
    for (const path of [copy, file, `${file}-wal`]) expect(statSync(path).mode & 0o777).toBe(0o600);
    const copied = titlesIn(copy);
    expect(copied.length).toBeGreaterThanOrEqual(before);
    expect(copied).toEqual(acknowledged.slice(0, copied.length));

    await server.stop();
    // A stopped server leaves all data in one file.
    expect(readdirSync(folder).filter((name) => /-wal|-shm/.test(name))).toEqual([]);
    copyFileSync(file, join(folder, 'as-it-stands.sqlite'));
    expect(titlesIn(join(folder, 'as-it-stands.sqlite'))).toEqual(acknowledged);

    await expect(restore(url, copy, { force: false })).rejects.toThrow('is there already: --force replaces it');
    const replaced = await restore(url, copy, { force: true });
    expect(titlesIn(replaced as string)).toEqual(acknowledged);
    const restored = await startServer(settings, folder);
    const back = new Client(restored.port, '/calendar/events/v1');
    expect((await back.get('/events')).body.total).toBe(copied.length);
    expect([await globalIdFrom(back), await uidFrom(back)]).toEqual([globalId, uid]);
    await restored.stop();
    const moved = await startServer({ ...settings, PUBLIC_URL: 'https://moved.example/site' }, folder);
    const there = new Client(moved.port, '/calendar/events/v1');
    expect([await globalIdFrom(there), await uidFrom(there)]).toEqual(['moved.example/site?id=1', uid]);
    await moved.stop();
  }, 120_000);

  it('pauses webhooks of a restored database, unless --keep-webhooks is given', async () => {
    const settings = { DATABASE_URL: url, KALENDS_ADMIN_TOKEN: TOKEN };
    const copy = join(folder, 'copy.sqlite');
    expect((await runCli(['webhook', 'add', 'https://receiver.example/hook'], settings, folder)).code).toBe(0);
    expect((await runCli(['backup', copy], settings, folder)).code).toBe(0);
    const webhookAfter = async (...options: string[]) => {
      expect((await runCli(['restore', copy, '--force', ...options], settings, folder)).code).toBe(0);
      const database = new BetterSqlite3(file, { fileMustExist: true });
      const [webhook] = database.prepare('SELECT active, disabled_reason FROM webhooks').all();
      database.close();
      return webhook;
    };
    expect(await webhookAfter()).toEqual({ active: 0, disabled_reason: 'restored' });
    expect(await webhookAfter('--keep-webhooks')).toEqual({ active: 1, disabled_reason: '' });
  }, 120_000);

  it('restores to a new path, and does not change the backup', async () => {
    make(file, 'A', 'B');
    const copy = join(folder, 'copy.sqlite');
    await backUp(url, copy);
    const bytes = readFileSync(copy);
    const empty = join(folder, 'new', 'kalends.sqlite');
    expect(await restore(`sqlite:${empty}`, copy, { force: false })).toBeUndefined();
    expect(titlesIn(empty)).toEqual(['A', 'B']);
    expect(readFileSync(copy)).toEqual(bytes);
  });

  it('does not apply the WAL of a killed server to the restored database', async () => {
    make(file, 'A');
    const copy = join(folder, 'copy.sqlite');
    await backUp(url, copy);
    const server = new BetterSqlite3(file);
    server.pragma('journal_mode = WAL');
    server.exec("UPDATE events SET title = 'B'");
    copyFileSync(`${file}-wal`, join(folder, 'left-wal'));
    server.close();
    rmSync(file);
    copyFileSync(join(folder, 'left-wal'), `${file}-wal`);
    await restore(url, copy, { force: false });
    expect(titlesIn(file)).toEqual(['A']);
    const kept = readdirSync(folder).find((name) => /^kalends\.sqlite\.replaced-.*-wal$/.test(name));
    expect(readFileSync(join(folder, kept as string))).toEqual(readFileSync(join(folder, 'left-wal')));
  });

  it.each<[string, () => string]>([
    ['the database itself', () => file],
    ['a link to it', () => linkTo(file)],
    ['another name of it', () => (linkSync(file, join(folder, 'name')), join(folder, 'name'))],
    ['it through a link to its folder', () => join(linkTo(folder), 'kalends.sqlite')],
    ['its neighbour -wal', () => `${file}-wal`],
    ['its neighbour -shm', () => `${file}-shm`],
    ['its neighbour -journal', () => `${file}-journal`],
  ])('does not back up onto %s', async (_, prepare) => {
    make(file, 'A');
    const { ino } = statSync(file);
    await expect(backUp(url, prepare())).rejects.toThrow('is the database itself, or a part of it');
    expect(statSync(file).ino).toBe(ino);
    expect(titlesIn(file)).toEqual(['A']);
  });

  it.each<[string, () => void]>([
    ['no database', () => writeFileSync(file, 'text '.repeat(1000))],
    ['cut off', () => truncateSync(file, 5000)],
    ['overwritten in its middle', () => writeFileSync(file, readFileSync(file).fill(0xff, 150, 8000))],
  ])('replaces a file that is %s only with --force, and keeps it under another name', async (_, damage) => {
    make(file, 'A');
    const copy = join(folder, 'copy.sqlite');
    await backUp(url, copy);
    damage();
    const damaged = readFileSync(file);
    writeFileSync(`${file}-wal`, 'left');
    await expect(restore(url, copy, { force: false })).rejects.toThrow(`${file} is damaged`);
    expect(readFileSync(file)).toEqual(damaged);
    const replaced = (await restore(url, copy, { force: true })) as string;
    expect(readFileSync(replaced)).toEqual(damaged);
    expect(titlesIn(file)).toEqual(['A']);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('rejects a damaged backup, and changes nothing', async () => {
    make(file, 'A');
    const copy = join(folder, 'copy.sqlite');
    await backUp(url, copy);
    writeFileSync(copy, readFileSync(copy).fill(0xff, 150, 8000));
    await expect(restore(url, copy, { force: true })).rejects.toThrow(`${copy} is damaged`);
    expect(titlesIn(file)).toEqual(['A']);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['no database', (path) => writeFileSync(path, 'text '.repeat(1000)), /is no database of Kalends/],
    [
      'another database',
      (path) => new BetterSqlite3(path).exec('CREATE TABLE t (x)').close(),
      /is no database of Kalends/,
    ],
    [
      'one of a later version',
      (path) => {
        make(path);
        new BetterSqlite3(path).exec("INSERT INTO migrations VALUES ('Later1')").close();
      },
      /was written by a later version, which has made Later1/,
    ],
    ['a file that is not there', () => undefined, /cannot be opened/],
  ])('rejects %s as a backup, and changes nothing', async (_, prepare, message) => {
    make(file, 'A');
    const copy = join(folder, 'copy.sqlite');
    prepare(copy);
    await expect(restore(url, copy, { force: true })).rejects.toThrow(message);
    expect(titlesIn(file)).toEqual(['A']);
    expect(readdirSync(folder).filter((name) => /part|replaced/.test(name))).toEqual([]);
  });

  it.each([
    ['a folder that does not exist', 'nowhere/copy.sqlite', /copy\.sqlite cannot be written: ENOENT/],
    ['a folder as its file', '.', /is a folder: name a file in it\./],
  ])('backup names %s', async (_, path, message) => {
    make(file, 'A');
    await expect(backUp(url, join(folder, path))).rejects.toThrow(message);
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
  });

  it('names the tools of the database server if the database is not embedded', async () => {
    const address = 'mysql://root@127.0.0.1:1/none';
    await expect(backUp(address, file)).rejects.toThrow('mariadb-dump --single-transaction');
    await expect(restore(address, file, { force: true })).rejects.toThrow('mariadb-dump --single-transaction');
    expect(existsSync(file)).toBe(false);
  });
});
