import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScanThread } from './scan-thread.js';
import { BetterSqlite3 } from './sqlite-driver.js';

const folder = mkdtempSync(join(tmpdir(), 'kalends-thread-'));
const path = join(folder, 'numbers.sqlite');
const file = new BetterSqlite3(path);
file.exec("CREATE TABLE numbers (id integer, text text); INSERT INTO numbers VALUES (1, NULL), (2, 'two')");
const thread = new ScanThread(path);
afterAll(async () => {
  await thread.close();
  file.close();
  rmSync(folder, { recursive: true });
});

const wanted = new AbortController().signal;
const counting = (rows: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT count(*) AS found FROM n`;
/** Takes some hundred milliseconds. */
const LONG = counting(3_000_000);
/** Takes far longer than the start of a thread. */
const LONGER = counting(30_000_000);

test('returns the rows of statements in their order, also those of later commits', async () => {
  const texts = 'SELECT text FROM numbers WHERE id >= ? ORDER BY id';
  expect(await Promise.all([thread.read(texts, [1], wanted), thread.read(texts, [2], wanted)])).toEqual([
    [{ text: null }, { text: 'two' }],
    [{ text: 'two' }],
  ]);
  file.exec("INSERT INTO numbers VALUES (3, 'three')");
  expect(await thread.read(texts, [3], wanted)).toEqual([{ text: 'three' }]);
});

test('lets the process work during a long statement', async () => {
  let isRunning = true;
  const long = thread.read(LONG, [], wanted).finally(() => (isRunning = false));
  let turns = 0;
  for (; isRunning; turns += 1) await sleep(1);
  expect(await long).toEqual([{ found: 3_000_000 }]);
  expect(turns).toBeGreaterThan(5);
});

test('does not send a statement that is no longer wanted when its turn comes', async () => {
  const long = thread.read(LONG, [], wanted);
  const reader = new AbortController();
  const dropped = thread.read('SELECT no_such_column FROM numbers', [], reader.signal);
  reader.abort();
  expect(await dropped).toEqual([]);
  await long;
});

test('throws the error of the driver with its code, and goes on', async () => {
  await expect(thread.read('SELECT no_such_column FROM numbers', [], wanted)).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
    message: 'no such column: no_such_column',
  });
  await expect(thread.read('DELETE FROM numbers RETURNING id', [], wanted)).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  });
  expect(await thread.read('SELECT 1 AS one', [], wanted)).toEqual([{ one: 1 }]);
});

test('a running statement that is no longer wanted does not hold up the next one', { timeout: 240_000 }, async () => {
  const begun = thread.read('SELECT 1 AS one', [], wanted);
  const reader = new AbortController();
  const left = thread.read(LONGER, [], reader.signal);
  await begun;
  await sleep(1);
  reader.abort();
  await expect(left).rejects.toThrow('aborted');
  expect(await thread.read('SELECT 1 AS one', [], wanted)).toEqual([{ one: 1 }]);
  expect(thread.leftThreads).toBe(1);
  while (thread.leftThreads > 0) await sleep(10);
  expect(await thread.read('SELECT 2 AS two', [], wanted)).toEqual([{ two: 2 }]);
});

test('begins again after its end', async () => {
  const interrupted = thread.read(LONG, [], wanted);
  await sleep(0);
  await thread.close();
  await expect(interrupted).rejects.toThrow('aborted');
  expect(await thread.read('SELECT 1 AS one', [], wanted)).toEqual([{ one: 1 }]);
});
