import { measureAgainst } from './against.js';
import { checkEqual } from './equality.js';
import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { newPlace, type Place } from './dataset/place.js';
import { verifyRows } from './dataset/verify.js';
import { type ImportRun, measureImport } from './import.js';
import { measure, type Plan, type Run } from './measure.js';
import { type Options, readOptions } from './options.js';
import { startOwnServer } from './own-server.js';
import { type Contender, startCeiling, startKalends } from './processes.js';
import { type Comparison, rateRatio, type SizeFigures } from './report.js';
import { figures, writeInto } from './report-page.js';
import { tell } from './tell.js';
import { allWorkloads, type Workload } from './workloads.js';
import { checkWritten } from './written.js';

/** Below this something is broken, whatever the machine does. Writes wait for the disk and for each other. */
const LEAST_RATIO = { reading: 0.5, writing: 0.3 };

/** How often what is below it is measured again: the machine may have been disturbed. */
const MOST_REPEATS = 2;

const given = readOptions();
const own = given.ownServer ? await startOwnServer() : undefined;
const options: Options = own === undefined ? given : { ...given, server: own.url, databasePid: own.pid };
try {
  if (options.against === undefined) await measureAll();
  else process.stdout.write(`${await measureAgainst(options.against, options)}\n`);
} finally {
  await own?.stop();
}

async function measureAll(): Promise<void> {
  const sizes: SizeFigures[] = [];
  for (const events of options.sizes) sizes.push(await measureSize(events));
  const imported: ImportRun | undefined =
    options.imported === 0 ? undefined : await measureImport(options.server, options.imported);
  const text = figures(options, sizes, imported);
  process.stdout.write(`${text}\n`);
  if (options.report !== undefined) writeInto(options.report, options.engine, text);
  if (options.check) failWhereSlow(sizes.flatMap(({ comparisons }) => comparisons));
}

async function measureSize(events: number): Promise<SizeFigures> {
  const place = await dataSet(events, options);
  try {
    return await compare(events, place.url);
  } finally {
    if (options.keep) tell(`kept: ${place.url}`);
    else await place.drop();
  }
}

async function dataSet(events: number, { server, database }: Options): Promise<Place> {
  if (database !== undefined) return { url: database, drop: () => Promise.resolve() };
  tell('checking that rows loaded in bulk are those the application writes');
  await verifyRows(server);
  const place = await newPlace(server, String(events));
  tell(`loading ${events} events`);
  await load(place.url, sizesFor(events));
  return place;
}

async function compare(events: number, url: string): Promise<SizeFigures> {
  const driver = openDriver(url);
  const all = await allWorkloads(driver, sizesFor(events));
  const chosen = all.filter(({ name }) => options.workloads.length === 0 || options.workloads.includes(name));
  const settings = { WORKERS: options.workers };
  const contenders = [
    await startCeiling(url),
    await startKalends(url, { name: 'without caches', settings: { ...settings, CACHE_ENTRIES: '0' } }),
    await startKalends(url, { settings }),
  ] as const;
  try {
    for (const workload of all.filter(({ writes }) => writes === undefined)) {
      for (const rival of contenders.slice(1)) await checkEqual(workload, rival, contenders[0], 40);
    }
    await checkWritten(driver, sizesFor(events), contenders[0], contenders[2]);
    await driver.close();
    tell('all answer the same bytes and write the same rows');
    const comparisons: Comparison[] = [];
    for (const workload of chosen) comparisons.push(await compareOne(workload, contenders));
    return { events, comparisons, startCpu: contenders.map(({ name, startCpu }) => [name, startCpu]) };
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

async function compareOne(workload: Workload, contenders: readonly Contender[]): Promise<Comparison> {
  const measured = async (plan: Plan) => {
    const runs = await measure(workload, contenders, plan);
    const run = (name: string) => runs.get(name) as Run;
    return { workload, kalends: run('Kalends'), uncached: run('without caches'), ceiling: run('ceiling') };
  };
  let comparison = await measured(options);
  for (let again = 0; again < MOST_REPEATS && options.check && isSlow(comparison); again += 1) {
    tell(`${workload.name}: too far below the ceiling, measured again for longer`);
    comparison = await measured({ ...options, seconds: 3 * options.seconds });
  }
  const [cached, uncached] = [comparison.kalends, comparison.uncached].map((one) => rateRatio(one, comparison.ceiling));
  tell(`${workload.name}: ${uncached?.toFixed(2)} of the ceiling, ${cached?.toFixed(2)} with caches`);
  return comparison;
}

function failWhereSlow(comparisons: readonly Comparison[]): void {
  const slow = comparisons.filter(isSlow);
  if (slow.length === 0) return;
  process.exitCode = 1;
  tell(`too far below the ceiling: ${slow.map(({ workload }) => workload.name).join(', ')}`);
}

function isSlow({ workload, kalends, uncached, ceiling }: Comparison): boolean {
  const least = workload.writes === undefined ? LEAST_RATIO.reading : LEAST_RATIO.writing;
  return [kalends, uncached].some((run) => rateRatio(run, ceiling) < least);
}
