import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataVersion } from './data-version.js';
import { withTimeout, currentDeadline } from '../connection/deadline.js';

const NOW = '2026-11-20 09:00:00';
const at = (version: number, epoch = 'first') => ({ version, epoch });
const FRESH = { capacity: 100, staleness: 0 };

/** A database whose reads of the version end when the test calls `pending`, or at their deadline. */
function pendingReads() {
  const pending: ((version: number) => void)[] = [];
  const read = <Row>() => new Promise<Row[]>((resolve) => pending.push((number) => resolve([at(number)] as Row[])));
  const query = <Row>(sql: string) =>
    sql.includes('data_version')
      ? withTimeout(read<Row>(), currentDeadline().remaining, () => undefined)
      : Promise.resolve([{ next: null }] as Row[]);
  const version = new DataVersion({ query }, FRESH);
  // A read begins in the turn after its request.
  const settled = () => nextTurn().then(() => nextTurn());
  return { pending, version, settled };
}

test('requests that wait at the same time share one read of the version', async () => {
  const { pending, version, settled } = pendingReads();
  const both = Promise.all([version.entriesAt(NOW), version.entriesAt(NOW)]);
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.(7);
  const [one, other] = await both;
  expect(one?.isValidFor(at(7), NOW)).toBe(true);
  expect(other?.isValidFor(at(7), NOW)).toBe(true);
});

test('requests of one turn of the event loop share a read that blocks the process, as on SQLite', async () => {
  let reads = 0;
  const query = async <Row>(sql: string) => {
    if (sql.includes('data_version')) reads += 1;
    return (await Promise.resolve([sql.includes('data_version') ? at(1) : { next: null }])) as Row[];
  };
  const version = new DataVersion({ query }, FRESH);
  await version.entriesAt(NOW);
  reads = 0;
  // Requests of one turn come in callbacks of their own, between which promises are settled.
  const requests = Array.from({ length: 3 }, async (_, position) => {
    for (let step = 0; step < position * 20; step += 1) await Promise.resolve();
    return version.entriesAt(NOW);
  });
  const [first, ...others] = await Promise.all(requests);
  expect(others).toEqual([first, first]);
  expect(reads).toBe(1);
});

test('a request uses no read that began before the request', async () => {
  const { pending, version, settled } = pendingReads();
  const first = version.entriesAt(NOW);
  await settled();
  const second = version.entriesAt(NOW);
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.(7);
  await first;
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.(8);
  expect((await second)?.isValidFor(at(8), NOW)).toBe(true);
});

test('a new read follows a failed one', async () => {
  let fails = true;
  const query = <Row>() => (fails ? Promise.reject(new Error('gone')) : Promise.resolve([at(1)] as Row[]));
  const version = new DataVersion({ query }, FRESH);
  await expect(version.entriesAt(NOW)).rejects.toThrow('gone');
  fails = false;
  expect((await version.entriesAt(NOW))?.isValidFor(at(1), NOW)).toBe(true);
});

test('the cache expires at a commit, at a scheduled time, and when the clock is set back', async () => {
  const query = <Row>(sql: string) =>
    Promise.resolve([sql.includes('data_version') ? at(3) : { next: '2026-11-20 10:00:00' }] as Row[]);
  const version = new DataVersion({ query }, FRESH);
  const entries = await version.entriesAt(NOW);
  expect(await version.entriesAt('2026-11-20 09:59:59')).toBe(entries);
  expect(await version.entriesAt('2026-11-20 10:00:00')).not.toBe(entries);
  expect(await version.entriesAt(NOW)).not.toBe(entries);
  expect(entries?.isValidFor(at(4), NOW)).toBe(false);
});

test('the cache expires when another history of the database has the same version', async () => {
  let epoch = 'first';
  const query = <Row>(sql: string) =>
    Promise.resolve([sql.includes('data_version') ? at(3, epoch) : { next: null }] as Row[]);
  const version = new DataVersion({ query }, FRESH);
  const entries = await version.entriesAt(NOW);
  expect(await version.entriesAt(NOW)).toBe(entries);
  epoch = 'restored';
  expect(await version.entriesAt(NOW)).not.toBe(entries);
});

test('requests of a read that times out get no cache, and the next request starts a new read', async () => {
  const { pending, version, settled } = pendingReads();
  const first = version.entriesAt(NOW);
  await settled();
  const second = version.entriesAt(NOW);
  expect(await first).toBeUndefined();
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.(8);
  const entries = await second;
  expect(entries?.isValidFor(at(8), NOW)).toBe(true);
  pending[0]?.(7);
  const third = version.entriesAt(NOW);
  await settled();
  pending[2]?.(8);
  expect(await third).toBe(entries);
});

describe('a version that may be two seconds old', () => {
  /** Returns the version in the database and the number of its reads. */
  function staleDatabase() {
    const state = { version: 1, reads: 0, milliseconds: 0 };
    const query = async <Row>(sql: string) => {
      if (!sql.includes('data_version')) return [{ next: null }] as Row[];
      state.reads += 1;
      const row = at(state.version);
      await nextTurn();
      return [row] as Row[];
    };
    const options = { capacity: 100, staleness: 2000, monotonic: () => state.milliseconds };
    return { state, version: new DataVersion({ query }, options) };
  }

  test('is read once in that time', async () => {
    const { state, version } = staleDatabase();
    const entries = await version.entriesAt(NOW);
    state.version = 2;
    state.milliseconds = 1999;
    expect([await version.entriesAt(NOW), state.reads]).toEqual([entries, 1]);
    state.milliseconds = 2000;
    expect((await version.entriesAt(NOW))?.isValidFor(at(2), NOW)).toBe(true);
    expect(state.reads).toBe(2);
  });

  test('is read again after a write of this process, also by a request that came during the write', async () => {
    const { state, version } = staleDatabase();
    await version.entriesAt(NOW);
    version.noteWrite();
    const concurrent = version.entriesAt(NOW);
    while (state.reads < 2) await nextTurn();
    // The concurrent read returns the version before this write.
    state.version = 2;
    version.noteWrite();
    await concurrent;
    expect((await version.entriesAt(NOW))?.isValidFor(at(2), NOW)).toBe(true);
    expect(state.reads).toBe(3);
  });

  test('still expires at a scheduled time', async () => {
    const { state, version } = staleDatabase();
    const entries = await version.entriesAt(NOW);
    expect(entries?.isValidFor(at(1), '2026-11-20 08:59:59')).toBe(false);
    expect(await version.entriesAt('2026-11-20 08:59:59')).not.toBe(entries);
    expect(state.reads).toBe(1);
  });
});

test('after a search for the next scheduled record times out, requests do not wait for another search', async () => {
  let isHanging = true;
  let searches = 0;
  const next = <Row>() => {
    searches += 1;
    if (!isHanging) return Promise.resolve([{ next: null }] as Row[]);
    return withTimeout(new Promise<Row[]>(() => undefined), currentDeadline().remaining, () => undefined);
  };
  const query = <Row>(sql: string) => (sql.includes('data_version') ? Promise.resolve([at(3)] as Row[]) : next<Row>());
  const version = new DataVersion({ query }, FRESH);
  expect(await version.entriesAt(NOW)).toBeUndefined();
  expect(await Promise.all([version.entriesAt(NOW), version.entriesAt(NOW)])).toEqual([undefined, undefined]);
  expect(searches).toBe(2);
  isHanging = false;
  const results: unknown[] = [];
  while (results.at(-1) === undefined) {
    results.push(await version.entriesAt(NOW));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(searches).toBe(3);
  // All but the last returned immediately, while the second search was still hanging.
  expect(results.length).toBeGreaterThan(10);
});
