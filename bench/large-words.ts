import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSet, markdown, say } from './data-sets.js';
import { openDriver } from './database.js';
import { COMMON_WORD, RARE_WORD } from './dataset/vocabulary.js';
import type { Contender } from './processes.js';
import { ask, MOUNT, percentiles } from './single-request.js';

const GOAL_MS = 50;
const SEARCHES = 30;
const POLL_PAUSE_MS = 250;
const PROBE_PAUSE_MS = 5;
/** An index that takes longer is reported as not built. */
const MAX_BUILDING_MS = 3_600_000;

/** Waits until the index of words is built, which a search has begun at `began`. Meanwhile probes the service. */
export async function awaitWords(set: DataSet, service: Contender, began: number): Promise<void> {
  const driver = openDriver(set.url);
  const probes: number[] = [];
  let isBuilt = false;
  const probing = (async () => {
    while (!isBuilt) {
      probes.push((await ask(service, '/health/live')).milliseconds);
      await sleep(PROBE_PAUSE_MS);
    }
  })();
  await ask(service, `${MOUNT}/events?search=${RARE_WORD}`);
  while (!(isBuilt = await isComplete()) && performance.now() - began < MAX_BUILDING_MS) await sleep(POLL_PAUSE_MS);
  const [isInTime, seconds] = [isBuilt, (performance.now() - began) / 1000];
  isBuilt = true;
  await probing;
  await driver.close();
  const { p50, p99 } = percentiles(probes);
  const longest = probes.reduce((max, one) => Math.max(max, one), 0);
  say(`\nindex of words ${isInTime ? 'built' : 'NOT built'} after ${seconds.toFixed(1)} s`);
  say(`liveness meanwhile: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${longest.toFixed(0)} ms`);

  /** The row names the next block until all blocks are built. */
  async function isComplete(): Promise<boolean> {
    return (await driver.rows('SELECT seq FROM search_index WHERE next_block IS NULL LIMIT 1')).length > 0;
  }
}

/** Returns a Markdown table of searches, each with another date, so that no cache has it. */
export async function wordTable(service: Contender): Promise<string> {
  const lines = [];
  for (const [about, word] of [
    ['a common word', COMMON_WORD],
    ['a rare word', RARE_WORD],
  ] as const) {
    const times: number[] = [];
    let unavailable = 0;
    for (let n = 0; n < SEARCHES; n += 1) {
      const { status, milliseconds } = await ask(service, `${MOUNT}/events?search=${word}&end_date=${2030 + n}-01-01`);
      if (status === 503) unavailable += 1;
      else if (status !== 200) throw new Error(`${about}: ${status}`);
      times.push(milliseconds);
    }
    const { p50, p99 } = percentiles(times);
    lines.push([about, times[0]!.toFixed(1), p50.toFixed(1), p99.toFixed(1), unavailable]);
  }
  return markdown(['Search, index built', 'first, ms', `p50, ms (goal ${GOAL_MS})`, 'p99, ms', '503s'], lines);
}
