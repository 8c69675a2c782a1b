import { type AfterCommit, measureAfterCommit } from './after-commit.js';
import { measureAgainst } from './against.js';
import { type BesideRuns, besideWorkloads, isBehind, measureBeside } from './beside.js';
import { checkEqual } from './equality.js';
import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { createDatabase, type BenchDatabase } from './dataset/place.js';
import { verifyRows } from './dataset/verify.js';
import { type ImportRun, measureImport } from './import.js';
import { measure, type Plan, type Run } from './measure.js';
import { type Options, readOptions } from './options.js';
import { startOwnServer } from './own-server.js';
import { type Contender, startCeiling, startKalends } from './processes.js';
import { type Comparison, rateRatio, type SizeFigures } from './report.js';
import { figures, writeInto } from './report-page.js';
import { log } from './tell.js';
import { allWorkloads, type Workload } from './workloads.js';
import { checkWritten } from './written.js';

/** The minimum ratios to the ceiling for `--check`, low enough for any machine. Writes wait for the disk and each other. */
const MIN_RATIO = { reading: 0.5, writing: 0.3 };

/** The number of repetitions below the minimum, because the machine may have been disturbed. */
const MAX_REPEATS = 2;

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
  if (options.check) failWhereSlow(sizes);
}

async function measureSize(events: number): Promise<SizeFigures> {
  const benchDatabase = await dataSet(events, options);
  try {
    return await compare(events, benchDatabase.url);
  } finally {
    if (options.keep) log(`kept: ${benchDatabase.url}`);
    else await benchDatabase.drop();
  }
}

async function dataSet(events: number, { server, database }: Options): Promise<BenchDatabase> {
  if (database !== undefined) return { url: database, drop: () => Promise.resolve() };
  log('checking that rows loaded in bulk are those the application writes');
  await verifyRows(server);
  const benchDatabase = await createDatabase(server, String(events));
  log(`loading ${events} events`);
  await load(benchDatabase.url, sizesFor(events));
  return benchDatabase;
}

async function compare(events: number, url: string): Promise<SizeFigures> {
  const driver = openDriver(url);
  const all = await allWorkloads(driver, sizesFor(events));
  const isChosen = ({ name }: Workload) => options.workloads.length === 0 || options.workloads.includes(name);
  const chosen = all.filter(isChosen);
  const settings = { WORKERS: options.workers, INDEX: options.index };
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
    log('all answer the same bytes and write the same rows');
    const comparisons: Comparison[] = [];
    for (const workload of chosen) comparisons.push(await compareOne(workload, contenders));
    const afterCommit: AfterCommit[] = [];
    for (const workload of chosen.filter(({ writes, conditional }) => writes === undefined && conditional !== true))
      afterCommit.push(await measureAfterCommit(workload, contenders, driver));
    const [, uncached, kalends] = contenders;
    const besides: BesideRuns[] = [];
    for (const beside of (await besideWorkloads(driver, all)).filter(({ page }) => isChosen(page)))
      besides.push(await measureBeside(beside, uncached, kalends, options));
    await driver.close();
    return {
      events,
      comparisons,
      afterCommit,
      besides,
      startCpu: contenders.map(({ name, startCpu }) => [name, startCpu]),
    };
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
  for (let again = 0; again < MAX_REPEATS && options.check && isSlow(comparison); again += 1) {
    log(`${workload.name}: too far below the ceiling, measured again for longer`);
    comparison = await measured({ ...options, seconds: 3 * options.seconds });
  }
  const [cached, uncached] = [comparison.kalends, comparison.uncached].map((one) => rateRatio(one, comparison.ceiling));
  log(`${workload.name}: ${uncached?.toFixed(2)} of the ceiling, ${cached?.toFixed(2)} with caches`);
  return comparison;
}

function failWhereSlow(sizes: readonly SizeFigures[]): void {
  const slow = sizes.flatMap(({ comparisons }) => comparisons.filter(isSlow)).map(({ workload }) => workload.name);
  const behind = sizes.flatMap(({ besides }) => besides.filter(isBehind)).map(({ beside }) => beside.page.name);
  if (slow.length + behind.length > 0) process.exitCode = 1;
  if (slow.length > 0) log(`too far below the ceiling: ${slow.join(', ')}`);
  if (behind.length > 0) log(`too far behind the JSON: ${behind.join(', ')}`);
}

function isSlow({ workload, kalends, uncached, ceiling }: Comparison): boolean {
  const minRatio = workload.writes === undefined ? MIN_RATIO.reading : MIN_RATIO.writing;
  return [kalends, uncached].some((run) => rateRatio(run, ceiling) < minRatio);
}
