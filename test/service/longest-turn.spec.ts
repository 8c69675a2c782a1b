import { setImmediate as nextTurn } from 'node:timers/promises';
import { costOf } from '../support/longest-turn.js';

/** Uses the processor without a pause. */
function work(milliseconds: number): void {
  const since = process.cpuUsage();
  for (let used = { user: 0, system: 0 }; used.user + used.system < milliseconds * 1000;)
    used = process.cpuUsage(since);
}

describe('costOf', () => {
  it.each([
    ['first', () => Promise.resolve(work(80))],
    ['last', () => nextTurn().then(() => work(80))],
  ])('counts the %s turn of the work', async (_turn, done) => {
    const { turnMs } = await costOf(done);
    expect(turnMs).toBeGreaterThanOrEqual(80);
  });
});
