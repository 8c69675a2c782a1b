import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Arrivals } from './arrivals.js';

/** Returns the number of turns of the event loop that `work` takes. `eachTurn` is called in each of them. */
async function turnsOf(work: () => Promise<void>, eachTurn = (_turn: number) => {}): Promise<number> {
  let [turns, isRunning] = [0, true];
  const count = async () => {
    for (; isRunning; turns += 1) {
      eachTurn(turns);
      await nextTurn();
    }
  };
  const counted = count();
  await work();
  const counts = turns;
  isRunning = false;
  await counted;
  return counts;
}

describe('Arrivals', () => {
  it('lets a write begin after two turns in which none arrives', async () => {
    const arrivals = new Arrivals();
    expect(await turnsOf(() => arrivals.wait())).toBeLessThanOrEqual(2);
  });

  it('waits while others arrive', async () => {
    const arrivals = new Arrivals();
    const few = (turn: number) => (turn < 5 ? arrivals.note() : undefined);
    const turns = await turnsOf(() => arrivals.wait(), few);
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(turns).toBeLessThanOrEqual(7);
  });

  it('waits 50 ms at most, and then not for 20 ms', async () => {
    const arrivals = new Arrivals();
    const note = () => arrivals.note();
    const startedAt = performance.now();
    expect(await turnsOf(() => arrivals.wait(), note)).toBeGreaterThan(2);
    const endedAt = performance.now();
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(50);
    const again = await turnsOf(() => arrivals.wait(), note);
    // On a busy machine the time of writes may have passed before the second call.
    if (performance.now() - endedAt < 20) expect(again).toBe(0);
    await sleep(endedAt + 2 * (performance.now() - startedAt) - performance.now());
    expect(await turnsOf(() => arrivals.wait(), note)).toBeGreaterThan(0);
  });
});
