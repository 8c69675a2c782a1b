import { setTimeout as sleep } from 'node:timers/promises';
import { inTime, currentDeadline, Deadline, withTime } from './deadline.js';
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

  it('counts the time of uses, not that between them', async () => {
    const budget = new Deadline(100);
    await budget.spend(lasting(30));
    now += 1_000;
    expect(budget.remaining).toBe(70);
    await budget.spend(() => {
      now += 60;
      expect(budget.remaining).toBe(10);
      return Promise.resolve();
    });
    await budget.spend(lasting(20));
    expect(budget.remaining).toBe(-10);
  });

  it('counts uses at the same time once, and those that fail too', async () => {
    const budget = new Deadline(100);
    const failing = async () => {
      await Promise.resolve();
      throw new Error('on purpose');
    };
    await budget.spend(async () => {
      await Promise.all([budget.spend(lasting(10)), expect(budget.spend(failing)).rejects.toThrow('on purpose')]);
      now += 5;
    });
    expect(budget.remaining).toBe(85);
  });

  it('belongs to the work that it was given to, whatever that waits for; others have none', async () => {
    const seen = await Promise.all([
      withTime(50, async () => {
        await sleep(1);
        return currentDeadline().remaining;
      }),
      withTime(70, () => Promise.resolve(withTime(20, () => currentDeadline().remaining))),
      Promise.resolve(currentDeadline().remaining),
      Promise.resolve(currentDeadline(30).remaining),
    ]);
    expect(seen).toEqual([50, 20, Infinity, 30]);
  });
});

describe('inTime', () => {
  it('answers what work answers, or fails as it fails, and gives nothing up', async () => {
    let given = 0;
    const giveUp = () => (given += 1);
    await expect(inTime(Promise.resolve('done'), 5, giveUp)).resolves.toBe('done');
    await expect(inTime(Promise.reject(new Error('on purpose')), 5, giveUp)).rejects.toThrow('on purpose');
    await expect(inTime(sleep(1, 'done'), Infinity, giveUp)).resolves.toBe('done');
    await sleep(20);
    expect(given).toBe(0);
  });

  it('gives up work that takes longer, whatever comes of it', async () => {
    let given = 0;
    let fail = (_: Error) => {};
    const work = new Promise((_, reject) => (fail = reject));
    await expect(inTime(work, 5, () => void (given += 1))).rejects.toThrow(OutOfTime);
    expect(given).toBe(1);
    fail(new Error('nobody listens any more'));
    await sleep(1);
  });
});
