import { DataVersion } from './data-version.js';
import { inTime, currentDeadline } from '../connection/deadline.js';

const NOW = '2026-11-20 09:00:00';
const FRESH = { capacity: 100, staleness: 0 };

/** A database of which each read of the version is answered by hand, in turn; it gives up when its time is up. */
function reads() {
  const pending: ((version: number) => void)[] = [];
  const read = <Row>() =>
    new Promise<Row[]>((resolve) => pending.push((number) => resolve([{ version: number }] as Row[])));
  const query = <Row>(sql: string) =>
    sql.includes('data_version')
      ? inTime(read<Row>(), currentDeadline().remaining, () => undefined)
      : Promise.resolve([{ next: null }] as Row[]);
  const version = new DataVersion({ query }, FRESH);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { pending, version, settled };
}

test('requests that wait at once share one read of the version', async () => {
  const { pending, version, settled } = reads();
  const both = Promise.all([version.memoryAt(NOW), version.memoryAt(NOW)]);
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.(7);
  const [one, other] = await both;
  expect(one?.holds(7, NOW)).toBe(true);
  expect(other?.holds(7, NOW)).toBe(true);
});

test('a request uses no read that began before it came', async () => {
  const { pending, version, settled } = reads();
  const first = version.memoryAt(NOW);
  await settled();
  const second = version.memoryAt(NOW);
  await settled();
  expect(pending).toHaveLength(1);
  pending[0]?.(7);
  await first;
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.(8);
  expect((await second)?.holds(8, NOW)).toBe(true);
});

test('a read that fails is not the last one', async () => {
  let fails = true;
  const query = <Row>() => (fails ? Promise.reject(new Error('gone')) : Promise.resolve([{ version: 1 }] as Row[]));
  const version = new DataVersion({ query }, FRESH);
  await expect(version.memoryAt(NOW)).rejects.toThrow('gone');
  fails = false;
  expect((await version.memoryAt(NOW))?.holds(1, NOW)).toBe(true);
});

test('the same state is remembered until a commit, a scheduled moment, or a clock that is set back', async () => {
  const query = <Row>(sql: string) =>
    Promise.resolve([sql.includes('data_version') ? { version: 3 } : { next: '2026-11-20 10:00:00' }] as Row[]);
  const version = new DataVersion({ query }, FRESH);
  const memory = await version.memoryAt(NOW);
  expect(await version.memoryAt('2026-11-20 09:59:59')).toBe(memory);
  expect(await version.memoryAt('2026-11-20 10:00:00')).not.toBe(memory);
  expect(await version.memoryAt(NOW)).not.toBe(memory);
  expect(memory?.holds(4, NOW)).toBe(false);
});

test('a read that is not answered keeps its requests from memory, and the next ones begin anew', async () => {
  const { pending, version, settled } = reads();
  const first = version.memoryAt(NOW);
  await settled();
  const second = version.memoryAt(NOW);
  expect(await first).toBeUndefined();
  await settled();
  expect(pending).toHaveLength(2);
  pending[1]?.(8);
  const memory = await second;
  expect(memory?.holds(8, NOW)).toBe(true);
  pending[0]?.(7);
  const third = version.memoryAt(NOW);
  await settled();
  pending[2]?.(8);
  expect(await third).toBe(memory);
});

describe('a number that may be two seconds old', () => {
  /** The number that the database has, and the reads of it. */
  function aged() {
    const state = { version: 1, reads: 0, milliseconds: 0 };
    const query = async <Row>(sql: string) => {
      if (!sql.includes('data_version')) return [{ next: null }] as Row[];
      state.reads += 1;
      const row = { version: state.version };
      await new Promise((resolve) => setImmediate(resolve));
      return [row] as Row[];
    };
    const options = { capacity: 100, staleness: 2000, monotonic: () => state.milliseconds };
    return { state, version: new DataVersion({ query }, options) };
  }

  test('is read once in that time', async () => {
    const { state, version } = aged();
    const memory = await version.memoryAt(NOW);
    state.version = 2;
    state.milliseconds = 1999;
    expect([await version.memoryAt(NOW), state.reads]).toEqual([memory, 1]);
    state.milliseconds = 2000;
    expect((await version.memoryAt(NOW))?.holds(2, NOW)).toBe(true);
    expect(state.reads).toBe(2);
  });

  test('is read again after a write of this process, also by who came while the write went on', async () => {
    const { state, version } = aged();
    await version.memoryAt(NOW);
    version.noteWrite();
    const beside = version.memoryAt(NOW);
    while (state.reads < 2) await Promise.resolve();
    // What it reads is from before this write.
    state.version = 2;
    version.noteWrite();
    await beside;
    expect((await version.memoryAt(NOW))?.holds(2, NOW)).toBe(true);
    expect(state.reads).toBe(3);
  });

  test('still ends at a scheduled moment', async () => {
    const { state, version } = aged();
    const memory = await version.memoryAt(NOW);
    expect(memory?.holds(1, '2026-11-20 08:59:59')).toBe(false);
    expect(await version.memoryAt('2026-11-20 08:59:59')).not.toBe(memory);
    expect(state.reads).toBe(1);
  });
});

test('who comes after a look at what is next that hangs does not wait for another one', async () => {
  let isHanging = true;
  let looks = 0;
  const next = <Row>() => {
    looks += 1;
    if (!isHanging) return Promise.resolve([{ next: null }] as Row[]);
    return inTime(new Promise<Row[]>(() => undefined), currentDeadline().remaining, () => undefined);
  };
  const query = <Row>(sql: string) =>
    sql.includes('data_version') ? Promise.resolve([{ version: 3 }] as Row[]) : next<Row>();
  const version = new DataVersion({ query }, FRESH);
  expect(await version.memoryAt(NOW)).toBeUndefined();
  expect(await Promise.all([version.memoryAt(NOW), version.memoryAt(NOW)])).toEqual([undefined, undefined]);
  expect(looks).toBe(2);
  isHanging = false;
  const memories: unknown[] = [];
  while (memories.at(-1) === undefined) {
    memories.push(await version.memoryAt(NOW));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(looks).toBe(3);
  // All but the last were there at once, while the second look was still hanging.
  expect(memories.length).toBeGreaterThan(10);
});
