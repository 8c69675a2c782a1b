import { WriterQueue, WritersBusy } from './writer-queue.js';

describe('WriterQueue', () => {
  it('lets writers in one after the other, in their order, also behind one that fails', async () => {
    const queue = new WriterQueue();
    const seen: string[] = [];
    const write = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('on purpose');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.enter(write(name))));
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses more than 200 at a time, and takes new ones when they are done', async () => {
    const queue = new WriterQueue();
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waiting = Array.from({ length: 200 }, () => queue.enter(() => gate));
    await expect(queue.enter(() => gate)).rejects.toThrow(WritersBusy);
    open();
    await Promise.all(waiting);
    await expect(queue.enter(() => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('counts the time of waiting from the moment of coming, not of the turn', async () => {
    const realNow = Date.now;
    let now = realNow();
    Date.now = () => now;
    const queue = new WriterQueue();
    const first = queue.enter((hasTime) => {
      now += 10_000;
      return Promise.resolve(hasTime());
    });
    const second = queue.enter(() => Promise.resolve('never'));
    await expect(first).resolves.toBe(false);
    await expect(second).rejects.toThrow(WritersBusy);
    Date.now = realNow;
  });
});
