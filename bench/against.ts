import { type Baseline, buildBaseline } from './baseline.js';
import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { copyDatabase, createDatabase } from './dataset/place.js';
import { countDifferences } from './equality.js';
import { measure, type Run } from './measure.js';
import type { Options } from './options.js';
import { command, type Contender, startKalends } from './processes.js';
import { log } from './tell.js';
import { allWorkloads, type Workload } from './workloads.js';

/** The results of one workload: this tree and the other commit in alternating runs, with and without caches. */
interface Pair {
  readonly workload: Workload;
  readonly uncached: { readonly before: Run; readonly now: Run };
  readonly cached: { readonly before: Run; readonly now: Run };
}

/** The number of compared responses per workload. */
const MAX_COMPARED = 40;

/** Measures this tree against another commit on the same data, and returns the ratios as Markdown. */
export async function measureAgainst(ref: string, options: Options): Promise<string> {
  log(`building ${ref}`);
  const baseline = await buildBaseline(ref);
  try {
    const parts: string[] = [];
    for (const events of options.sizes) parts.push(await measureSize(events, baseline, options));
    return parts.join('\n\n');
  } finally {
    baseline.remove();
  }
}

/** Loads the data with the other commit. Each commit serves its own copy, with its own migrations. */
async function measureSize(events: number, baseline: Baseline, options: Options): Promise<string> {
  const benchDatabase = await createDatabase(options.server, `before_${events}`);
  try {
    log(`loading ${events} events`);
    await baseline.load(benchDatabase.url, sizesFor(events));
    const copy = await copyDatabase(benchDatabase.url, options.server, `now_${events}`);
    try {
      const begun = performance.now();
      await command('migrate', copy.url);
      const migrated = `\`kalends migrate\` took ${((performance.now() - begun) / 1000).toFixed(1)} s.`;
      log(migrated);
      const table = await compare(events, { before: benchDatabase.url, now: copy.url }, baseline, options);
      return `${table}\n\n${migrated}`;
    } finally {
      await copy.drop();
    }
  } finally {
    await benchDatabase.drop();
  }
}

async function compare(
  events: number,
  urls: { before: string; now: string },
  { commit, root }: Baseline,
  options: Options,
): Promise<string> {
  const driver = openDriver(urls.now);
  const all = await allWorkloads(driver, sizesFor(events));
  await driver.close();
  const settings = { WORKERS: options.workers };
  const uncached = { ...settings, CACHE_ENTRIES: '0' };
  const contenders = [
    await startKalends(urls.before, { name: 'before, no caches', settings: uncached, root }),
    await startKalends(urls.now, { name: 'now, no caches', settings: uncached }),
    await startKalends(urls.before, { name: 'before', settings, root }),
    await startKalends(urls.now, { name: 'now', settings }),
  ] as const;
  const [, , before, now] = contenders;
  try {
    const chosen = all.filter(({ name }) => isChosen(name, options));
    // Compares before any write, because both write as much as they can, so that their data differ afterwards.
    const differing: string[] = [];
    for (const workload of chosen) differing.push(await differences(workload, before, now));
    const lines: string[] = [];
    for (const [index, workload] of chosen.entries()) {
      lines.push(line(await measurePair(workload, contenders, options), differing[index] as string));
    }
    return [`${events.toLocaleString('en-US')} events, this tree against ${commit}:`, '', ...HEAD, ...lines].join('\n');
  } finally {
    for (const contender of contenders) await contender.stop();
  }
}

function isChosen(name: string, { workloads }: Options): boolean {
  return workloads.length === 0 || workloads.includes(name);
}

async function measurePair(workload: Workload, contenders: readonly Contender[], options: Options): Promise<Pair> {
  const runs = await measure(workload, contenders, options);
  const run = (name: string) => runs.get(name) as Run;
  const pair = {
    workload,
    uncached: { before: run('before, no caches'), now: run('now, no caches') },
    cached: { before: run('before'), now: run('now') },
  };
  const { rate, cpu } = ratios(pair.uncached);
  log(`${workload.name}: ${rate} of the rate before, ${cpu} of its processor time a request, without caches`);
  return pair;
}

/** Reports how many responses differ. Differences are no error, because the contract may have changed. */
async function differences(workload: Workload, before: Contender, now: Contender): Promise<string> {
  if (workload.paths.length === 0) return '';
  const { asked, different, headers } = await countDifferences(workload, before, now, MAX_COMPARED);
  const named = headers.length > 0 ? ` (headers ${headers.join(', ')})` : '';
  log(`${workload.name}: ${different} of ${asked} answers differ${different > 0 ? named : ''}`);
  return `${different} of ${asked}`;
}

function ratios({ before, now }: Pair['cached']): { rate: string; cpu: string } {
  return {
    rate: (now.requestsPerSecond / before.requestsPerSecond).toFixed(2),
    cpu: (now.cpu / before.cpu).toFixed(2),
  };
}

const GROUP = ['requests/s before', 'now', 'ratio', 'CPU before', 'now', 'ratio'];
const COLUMNS = ['answers that differ', ...GROUP.map((name) => `no caches: ${name}`), ...GROUP];
const HEAD = [`| Workload | ${COLUMNS.join(' | ')} |`, `| --- |${' --: |'.repeat(COLUMNS.length)}`];

/** Returns a table row. CPU: processor time of the server process per request, in microseconds. */
function line({ workload, uncached, cached }: Pair, differ: string): string {
  return `| ${[workload.about, differ, ...cells(uncached), ...cells(cached)].join(' | ')} |`;
}

function cells(pair: Pair['cached']): string[] {
  const { rate, cpu } = ratios(pair);
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  const { before, now } = pair;
  return [
    ...[whole(before.requestsPerSecond), whole(now.requestsPerSecond), `**${rate}**`],
    ...[whole(before.cpu), whole(now.cpu), `**${cpu}**`],
  ];
}
