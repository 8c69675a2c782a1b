import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataSet, forEachDataSet, markdown, say, workloadsOf } from './data-sets.js';
import { checkEqual } from './equality.js';
import { keptReplies } from './kept-replies.js';
import { measure } from './measure.js';
import { type Contender, startHitsCeiling, startKalends } from './processes.js';
import { rateRatio, whole } from './report.js';
import { MOUNT } from './single-request.js';
import type { Workload } from './workloads.js';

/**
 * Compares kept responses with a bare server that sends the same bytes from memory after the same look at the version of
 * the database: `npm run bench:hits -- 10000`.
 */
const GOAL = 0.8;
/** As many as any cache holds. */
const PATHS = 100;

await forEachDataSet('hits', { index: 'off', seconds: '3' }, async (set) => {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-hits-'));
  const kalends = await startKalends(set.url, { settings: { INDEX: set.index } });
  try {
    const chosen = await workloadsOf(set, ['id', '304', 'list10']);
    const workloads = chosen.map((one) => ({ ...one, paths: one.paths.slice(0, PATHS) }));
    const paths = new Set(['/tags', ...workloads.flatMap((one) => one.paths)]);
    const file = join(folder, 'replies.json');
    writeFileSync(
      file,
      JSON.stringify(
        await keptReplies(
          kalends,
          [...paths].map((path) => MOUNT + path),
        ),
      ),
    );
    const bare = await startHitsCeiling(set.url, file);
    try {
      await compare(set, workloads, [bare, kalends]);
    } finally {
      await bare.stop();
    }
  } finally {
    await kalends.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function compare(
  { seconds, rounds }: DataSet,
  workloads: readonly Workload[],
  contenders: readonly [Contender, Contender],
): Promise<void> {
  const plan = { seconds, warmUp: 2 * seconds, rounds, connections: 16, databasePid: 0 };
  const lines = [];
  for (const workload of workloads) {
    await checkEqual(workload, contenders[1], contenders[0], PATHS);
    const runs = await measure(workload, contenders, plan);
    const [bare, kalends] = contenders.map(({ name }) => runs.get(name)!);
    const figures = [bare!, kalends!].flatMap((run) => [run.requestsPerSecond, run.cpu].map(whole));
    lines.push([workload.about, ...figures, `**${rateRatio(kalends!, bare!).toFixed(2)}**`]);
  }
  const head = [
    'Kept responses',
    'bare: requests/s',
    'CPU, µs',
    'Kalends: requests/s',
    'CPU, µs',
    `ratio (goal ${GOAL})`,
  ];
  say(`\n${markdown(head, lines)}`);
}
