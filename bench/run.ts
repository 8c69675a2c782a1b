import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { newPlace, type Place } from './dataset/place.js';
import { verifyRows } from './dataset/verify.js';
import { checkEqual } from './equality.js';
import { measure, type Run } from './measure.js';
import { type Options, readOptions } from './options.js';
import { startCeiling, startKalends } from './processes.js';
import { type Comparison, rateRatio, table } from './report.js';
import { readWorkloads, type Workload } from './workloads.js';

/** Below this something is broken, whatever the machine does: the least that was measured without caches is 0.42. */
const LEAST_RATIO = 0.3;

const options = readOptions();
const place = await dataSet(options);
try {
  const comparisons = await compare(place.url);
  process.stdout.write(`${table(comparisons)}\n`);
  const slow = comparisons.filter(({ kalends, uncached, ceiling }) =>
    [kalends, uncached].some((run) => rateRatio(run, ceiling) < LEAST_RATIO),
  );
  if (options.check && slow.length > 0) {
    process.exitCode = 1;
    tell(`below ${LEAST_RATIO} of the ceiling: ${slow.map(({ workload }) => workload.name).join(', ')}`);
  }
} finally {
  if (options.keep) tell(`kept: ${place.url}`);
  else await place.drop();
}

async function dataSet({ events, server, database }: Options): Promise<Place> {
  if (database !== undefined) return { url: database, drop: () => Promise.resolve() };
  tell('checking that rows loaded in bulk are those the application writes');
  await verifyRows(server);
  const place = await newPlace(server, String(events));
  tell(`loading ${events} events`);
  await load(place.url, sizesFor(events));
  return place;
}

async function compare(url: string): Promise<Comparison[]> {
  const driver = openDriver(url);
  const all = await readWorkloads(driver, sizesFor(options.events));
  await driver.close();
  const chosen = all.filter(({ name }) => options.workloads.length === 0 || options.workloads.includes(name));
  const contenders = [
    await startCeiling(url),
    await startKalends(url, 'without caches', { CACHE_ENTRIES: '0' }),
    await startKalends(url),
  ] as const;
  try {
    for (const workload of all) {
      for (const rival of contenders.slice(1)) await checkEqual(workload, rival, contenders[0], 40);
    }
    tell('all answer the same bytes');
    const comparisons: Comparison[] = [];
    for (const workload of chosen) comparisons.push(await compareOne(workload, contenders));
    return comparisons;
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

async function compareOne(workload: Workload, contenders: Parameters<typeof measure>[1]): Promise<Comparison> {
  const runs = await measure(workload, contenders, options);
  const run = (name: string) => runs.get(name) as Run;
  const comparison = { workload, kalends: run('Kalends'), uncached: run('without caches'), ceiling: run('ceiling') };
  const [cached, uncached] = [comparison.kalends, comparison.uncached].map((one) => rateRatio(one, comparison.ceiling));
  tell(`${workload.name}: ${uncached?.toFixed(2)} of the ceiling, ${cached?.toFixed(2)} with caches`);
  return comparison;
}

function tell(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
