import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';
import { OutOfTime, TooManyWaiting } from './unavailable.js';

/** Returns a promise that stays pending until `open` is called. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('Semaphore', () => {
  it('runs one caller after the other, in order, also after one that fails', async () => {
    const semaphore = new Semaphore(1);
    const seen: string[] = [];
    const write = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('on purpose');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => semaphore.run(Infinity, write(name))));
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('runs a caller with `first` before all that wait, even if the queue is full', async () => {
    const semaphore = new Semaphore(1);
    const { open, opened } = gate();
    const seen: string[] = [];
    const run = (name: string, end: 'first' | 'last') =>
      semaphore.run(Infinity, () => Promise.resolve(void seen.push(name)), end);
    const holding = semaphore.run(Infinity, () => opened);
    const waiting = Array.from({ length: 200 }, (_, number) => run(`waiting ${number}`, 'last'));
    await expect(run('one too many', 'last')).rejects.toThrow(TooManyWaiting);
    const begun = run('begun', 'first');
    open();
    await Promise.all([holding, begun, ...waiting]);
    expect(seen.slice(0, 2)).toEqual(['begun', 'waiting 0']);
    expect(seen).toHaveLength(201);
  });

  it('runs as many callers at a time as it has slots', async () => {
    const semaphore = new Semaphore(3);
    const { open, opened } = gate();
    let inside = 0;
    const all = Array.from({ length: 5 }, () =>
      semaphore.run(Infinity, () => {
        inside += 1;
        return opened;
      }),
    );
    await Promise.resolve();
    expect([inside, semaphore.waiting]).toEqual([3, 2]);
    open();
    await Promise.all(all);
    expect([inside, semaphore.waiting]).toEqual([5, 0]);
  });

  it('rejects more than 200 waiting callers, and accepts new ones when these have run', async () => {
    const semaphore = new Semaphore(1);
    const { open, opened } = gate();
    const all = Array.from({ length: 201 }, () => semaphore.run(Infinity, () => opened));
    await expect(semaphore.run(Infinity, () => opened)).rejects.toThrow(TooManyWaiting);
    open();
    await Promise.all(all);
    await expect(semaphore.run(Infinity, () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('rejects a caller at its timeout, and gives the slot to the next', async () => {
    const semaphore = new Semaphore(1);
    const { open, opened } = gate();
    const first = semaphore.run(Infinity, () => opened);
    const late = semaphore.run(5, () => Promise.resolve('never'));
    const waiting = semaphore.run(Infinity, () => Promise.resolve('in'));
    await expect(late).rejects.toThrow(OutOfTime);
    expect(semaphore.waiting).toBe(1);
    open();
    await first;
    await expect(waiting).resolves.toBe('in');
    await expect(semaphore.run(0, () => Promise.resolve('never'))).rejects.toThrow(OutOfTime);
  });

  it('rejects a caller immediately that would probably time out, and resets the average when idle', async () => {
    const semaphore = new Semaphore(1);
    const { open, opened } = gate();
    const slow = Array.from({ length: 40 }, () => semaphore.run(Infinity, () => sleep(5)));
    const last = semaphore.run(Infinity, () => opened);
    await Promise.all(slow);
    // The 40 uses took 5 ms each, longer than this timeout of 2 ms.
    await expect(semaphore.run(2, () => Promise.resolve('never'))).rejects.toThrow(TooManyWaiting);
    const waiting = semaphore.run(60_000, () => Promise.resolve('in'));
    open();
    await last;
    await expect(waiting).resolves.toBe('in');
    const again = [opened, opened].map((end) => semaphore.run(2, () => end));
    await expect(Promise.all(again)).resolves.toHaveLength(2);
  });
});
