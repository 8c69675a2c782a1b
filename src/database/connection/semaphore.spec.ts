import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';
import { OutOfTime, TooManyWaiting } from './unavailable.js';

/** What holds its turn until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('Turns', () => {
  it('lets in one after the other, in their order, also behind one that fails', async () => {
    const turns = new Semaphore(1);
    const seen: string[] = [];
    const write = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('on purpose');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.enter(Infinity, write(name))));
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('lets in who comes first before all that wait, also where no more may wait', async () => {
    const turns = new Semaphore(1);
    const { open, opened } = gate();
    const seen: string[] = [];
    const enter = (name: string, place: 'first' | 'last') =>
      turns.enter(Infinity, () => Promise.resolve(void seen.push(name)), place);
    const holding = turns.enter(Infinity, () => opened);
    const waiting = Array.from({ length: 200 }, (_, number) => enter(`waiting ${number}`, 'last'));
    await expect(enter('one too many', 'last')).rejects.toThrow(TooManyWaiting);
    const begun = enter('begun', 'first');
    open();
    await Promise.all([holding, begun, ...waiting]);
    expect(seen.slice(0, 2)).toEqual(['begun', 'waiting 0']);
    expect(seen).toHaveLength(201);
  });

  it('lets in as many at a time as it says', async () => {
    const turns = new Semaphore(3);
    const { open, opened } = gate();
    let inside = 0;
    const all = Array.from({ length: 5 }, () =>
      turns.enter(Infinity, () => {
        inside += 1;
        return opened;
      }),
    );
    await Promise.resolve();
    expect([inside, turns.waiting]).toEqual([3, 2]);
    open();
    await Promise.all(all);
    expect([inside, turns.waiting]).toEqual([5, 0]);
  });

  it('refuses more than 200 who wait, and takes new ones when they are done', async () => {
    const turns = new Semaphore(1);
    const { open, opened } = gate();
    const all = Array.from({ length: 201 }, () => turns.enter(Infinity, () => opened));
    await expect(turns.enter(Infinity, () => opened)).rejects.toThrow(TooManyWaiting);
    open();
    await Promise.all(all);
    await expect(turns.enter(Infinity, () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('sends away who has waited long enough, and gives the turn to the next', async () => {
    const turns = new Semaphore(1);
    const { open, opened } = gate();
    const first = turns.enter(Infinity, () => opened);
    const late = turns.enter(5, () => Promise.resolve('never'));
    const patient = turns.enter(Infinity, () => Promise.resolve('in'));
    await expect(late).rejects.toThrow(OutOfTime);
    expect(turns.waiting).toBe(1);
    open();
    await first;
    await expect(patient).resolves.toBe('in');
    await expect(turns.enter(0, () => Promise.resolve('never'))).rejects.toThrow(OutOfTime);
  });

  it('sends away at once who would hardly have a turn in time, and forgets the crowd when all are done', async () => {
    const turns = new Semaphore(1);
    const { open, opened } = gate();
    const slow = Array.from({ length: 40 }, () => turns.enter(Infinity, () => sleep(5)));
    const last = turns.enter(Infinity, () => opened);
    await Promise.all(slow);
    // Forty turns took five milliseconds each.
    await expect(turns.enter(2, () => Promise.resolve('never'))).rejects.toThrow(TooManyWaiting);
    const patient = turns.enter(60_000, () => Promise.resolve('in'));
    open();
    await last;
    await expect(patient).resolves.toBe('in');
    const again = [opened, opened].map((end) => turns.enter(2, () => end));
    await expect(Promise.all(again)).resolves.toHaveLength(2);
  });
});
