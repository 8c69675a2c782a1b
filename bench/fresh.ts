import { measureAfterCommit } from './after-commit.js';
import { type DataSet, forEachDataSet, markdown, say, workloadsOf } from './data-sets.js';
import { openDriver } from './database.js';
import { compareAvailable } from './equality.js';
import { measure } from './measure.js';
import { type Contender, startCeiling, startKalends } from './processes.js';
import { rateRatio, whole } from './report.js';
import { log } from './tell.js';

/**
 * Compares Kalends with the index of events, the same without caches (cold), Kalends with neither (uncached), and the
 * ceiling, in one run: `npm run bench:fresh -- 10000 1000000`. First the rates of repeated reads, then single requests of
 * which each is the first after a commit of another process.
 */
const WORKLOADS = ['list10', 'id', 'category'];
const RIVALS: readonly [name: string, settings: Readonly<Record<string, string>>][] = [
  ['uncached', { CACHE_ENTRIES: '0', INDEX: 'off' }],
  ['cold', { CACHE_ENTRIES: '0', INDEX: 'on' }],
  ['warm', { INDEX: 'on' }],
];
const GOALS = { cold: 1.5, warm: 4, uncached: 5 };

await forEachDataSet('fresh', { index: 'on', seconds: '3' }, async (set) => {
  const contenders: Contender[] = [];
  try {
    contenders.push(await startCeiling(set.url));
    for (const [name, settings] of RIVALS) contenders.push(await startKalends(set.url, { name, settings }));
    await compare(set, contenders);
  } finally {
    for (const contender of contenders) await contender.stop();
  }
});

async function compare(set: DataSet, contenders: readonly Contender[]): Promise<void> {
  const [ceiling, ...rivals] = contenders as [Contender, ...Contender[]];
  const workloads = await workloadsOf(set, WORKLOADS);
  for (const workload of workloads) {
    for (const rival of rivals) {
      const unavailable = await compareAvailable(workload, rival, ceiling, 20);
      if (unavailable > 0) log(`${rival.name}, ${workload.about}: ${unavailable} responses were 503 and not compared`);
    }
  }
  const plan = { seconds: set.seconds, warmUp: set.seconds, rounds: set.rounds, connections: 8, databasePid: 0 };
  const rates = [];
  for (const workload of workloads) {
    const runs = await measure(workload, contenders, plan);
    const [raw, uncached, cold, warm] = contenders.map(({ name }) => runs.get(name)!);
    const all = [raw!, uncached!, cold!, warm!].map(({ requestsPerSecond }) => whole(requestsPerSecond));
    const unavailable = [uncached!, cold!, warm!].map((run) => `${Math.ceil(run.unavailable * 100)} %`).join(', ');
    rates.push([workload.about, ...all, bold(rateRatio(cold!, raw!)), unavailable]);
  }
  const goal = `cold / ceiling (goal ${GOALS.cold})`;
  say(`\n${markdown(['Requests a second', 'ceiling', 'uncached', 'cold', 'warm', goal, '503s'], rates)}`);
  const driver = openDriver(set.url);
  const singles = [];
  for (const workload of workloads) singles.push(singleLine(await measureAfterCommit(workload, contenders, driver)));
  await driver.close();
  const ratios = [
    `ceiling / cold (goal ${GOALS.cold})`,
    `ceiling / warm (goal ${GOALS.warm})`,
    `uncached / warm (goal ${GOALS.uncached})`,
  ];
  const names = contenders.map(({ name }) => `${name}: p50, ms`);
  say(`\n${markdown(['Right after a commit', ...names, ...ratios, '503s'], singles)}`);
}

function singleLine({ workload, times }: Awaited<ReturnType<typeof measureAfterCommit>>): (string | number)[] {
  const p50 = (name: string) => times.get(name)!.p50;
  const ratios = [p50('ceiling') / p50('cold'), p50('ceiling') / p50('warm'), p50('uncached') / p50('warm')];
  const unavailable = [...times.values()].reduce((sum, one) => sum + one.unavailable, 0);
  const milliseconds = [...times.values()].map((one) => one.p50.toFixed(2));
  return [workload.about, ...milliseconds, ...ratios.map(bold), unavailable];
}

function bold(ratio: number): string {
  return `**${ratio.toFixed(2)}**`;
}
