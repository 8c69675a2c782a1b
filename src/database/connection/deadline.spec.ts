import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout, currentDeadline, Deadline, withDeadline } from './deadline.js';
import { OutOfTime } from './unavailable.js';

describe('Deadline', () => {
  const realNow = performance.now.bind(performance);
  let now = 0;
  beforeEach(() => (performance.now = () => now));
  afterEach(() => (performance.now = realNow));
  const lasting = (milliseconds: number) => () => {
    now += milliseconds;
    return Promise.resolve();
  };

  it('counts the time of uses, not the time between them', async () => {
    const deadline = new Deadline(100);
    await deadline.run(lasting(30));
    now += 1_000;
    expect(deadline.remaining).toBe(70);
    await deadline.run(() => {
      now += 60;
      expect(deadline.remaining).toBe(10);
      return Promise.resolve();
    });
    await deadline.run(lasting(20));
    expect(deadline.remaining).toBe(-10);
  });

  it('counts concurrent uses once, and failed ones too', async () => {
    const deadline = new Deadline(100);
    const failing = async () => {
      await Promise.resolve();
      throw new Error('on purpose');
    };
    await deadline.run(async () => {
      await Promise.all([deadline.run(lasting(10)), expect(deadline.run(failing)).rejects.toThrow('on purpose')]);
      now += 5;
    });
    expect(deadline.remaining).toBe(85);
  });

  it('applies to its work, also in asynchronous calls; other work has no deadline', async () => {
    const seen = await Promise.all([
      withDeadline(50, async () => {
        await sleep(1);
        return currentDeadline().remaining;
      }),
      withDeadline(70, () => Promise.resolve(withDeadline(20, () => currentDeadline().remaining))),
      Promise.resolve(currentDeadline().remaining),
      Promise.resolve(currentDeadline(30).remaining),
    ]);
    expect(seen).toEqual([50, 20, Infinity, 30]);
  });
});

describe('withTimeout', () => {
  it('returns the result or throws the error of work that ends before the timeout', async () => {
    let given = 0;
    const giveUp = () => (given += 1);
    await expect(withTimeout(Promise.resolve('done'), 5, giveUp)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('on purpose')), 5, giveUp)).rejects.toThrow('on purpose');
    await expect(withTimeout(sleep(1, 'done'), Infinity, giveUp)).resolves.toBe('done');
    await sleep(20);
    expect(given).toBe(0);
  });

  it('gives up work that takes longer than the timeout, and ignores its result', async () => {
    let given = 0;
    let fail = (_: Error) => {};
    const work = new Promise((_, reject) => (fail = reject));
    await expect(withTimeout(work, 5, () => void (given += 1))).rejects.toThrow(OutOfTime);
    expect(given).toBe(1);
    fail(new Error('nobody listens any more'));
    await sleep(1);
  });
});
