import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSet, forEachDataSet, markdown, say, workloadsOf } from './data-sets.js';
import { arrive, type Arrivals } from './open-loop.js';
import { type Contender, startCommitter, startKalends } from './processes.js';
import { percentiles } from './single-request.js';
import { log } from './tell.js';
import type { Workload } from './workloads.js';

/**
 * Measures reads under no, 1 and 20 commits a second by another process, which take turns: `npm run bench:writes -- 10000`.
 * Requests come at a fixed rate.
 */
const WORKLOADS = ['list10', 'id', 'category'];
const COMMITS = [0, 1, 20];
const GOAL = 1.3;
/** A process loads its documentation ten seconds after its start, once, which stops it for a moment. */
const SETTLED_AFTER_MS = 12_000;
/** Low enough for a service without caches, so that no queue grows that only the machine explains. */
const REQUESTS_A_SECOND = 100;

await forEachDataSet('writes', { index: 'on', seconds: '10' }, async (set) => {
  for (const index of set.index.split(',')) {
    const kalends = await startKalends(set.url, { settings: { INDEX: index } });
    try {
      await sleep(SETTLED_AFTER_MS);
      const workloads = await workloadsOf(set, WORKLOADS);
      for (const workload of workloads) await arrive(workload, kalends, REQUESTS_A_SECOND, set.seconds);
      say(`\n${REQUESTS_A_SECOND} reads a second, INDEX=${index}, milliseconds:\n`);
      const lines = [];
      for (const workload of workloads) lines.push(...(await compare(workload, kalends, set)));
      say(
        markdown(
          ['Read', 'commits/s', 'p50', 'p99', `p50 / none (goal ${GOAL})`, `p99 / none (goal ${GOAL})`, '503s'],
          lines,
        ),
      );
    } finally {
      await kalends.stop();
    }
  }
});

async function compare(workload: Workload, kalends: Contender, set: DataSet): Promise<(string | number)[][]> {
  const runs = new Map<number, Arrivals[]>(COMMITS.map((commits) => [commits, []]));
  for (let round = 0; round < set.rounds; round += 1) {
    for (const commits of round % 2 === 0 ? COMMITS : COMMITS.toReversed()) {
      const committer = commits === 0 ? undefined : await startCommitter(set.url, commits);
      try {
        runs.get(commits)!.push(await arrive(workload, kalends, REQUESTS_A_SECOND, set.seconds));
      } finally {
        await committer?.stop();
      }
    }
  }
  log(`${workload.name}: measured`);
  const measured = COMMITS.map((commits) => {
    const all = runs.get(commits)!;
    const unavailable = all.reduce((sum, one) => sum + one.unavailable, 0);
    return { commits, unavailable, ...percentiles(all.flatMap(({ latencies }) => latencies)) };
  });
  const none = measured[0]!;
  return measured.map(({ commits, unavailable, p50, p99 }) => [
    workload.about,
    commits,
    p50.toFixed(2),
    p99.toFixed(2),
    (p50 / none.p50).toFixed(2),
    (p99 / none.p99).toFixed(2),
    unavailable,
  ]);
}
