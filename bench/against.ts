import { type Baseline, buildBaseline } from './baseline.js';
import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { copyPlace, newPlace } from './dataset/place.js';
import { countDifferences } from './equality.js';
import { measure, type Run } from './measure.js';
import type { Options } from './options.js';
import { command, type Contender, startKalends } from './processes.js';
import { tell } from './tell.js';
import { allWorkloads, type Workload } from './workloads.js';

/** One workload, this tree and the other commit in the same alternating runs; each with caches and without. */
interface Pair {
  readonly workload: Workload;
  readonly uncached: { readonly before: Run; readonly now: Run };
  readonly cached: { readonly before: Run; readonly now: Run };
}

/** How many answers of a workload are compared. */
const MOST_COMPARED = 40;

/** Measures this tree against another commit on the same data, and answers the ratios as Markdown. */
export async function measureAgainst(ref: string, options: Options): Promise<string> {
  tell(`building ${ref}`);
  const baseline = await buildBaseline(ref);
  try {
    const parts: string[] = [];
    for (const events of options.sizes) parts.push(await measureSize(events, baseline, options));
    return parts.join('\n\n');
  } finally {
    baseline.remove();
  }
}

/** The other commit makes the data; each serves a copy of its own, which its own migrations have brought up to date. */
async function measureSize(events: number, baseline: Baseline, options: Options): Promise<string> {
  const place = await newPlace(options.server, `before_${events}`);
  try {
    tell(`loading ${events} events`);
    await baseline.load(place.url, sizesFor(events));
    const copy = await copyPlace(place.url, options.server, `now_${events}`);
    try {
      await command('migrate', copy.url);
      return await compare(events, { before: place.url, now: copy.url }, baseline, options);
    } finally {
      await copy.drop();
    }
  } finally {
    await place.drop();
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
    // Before anything is written: both write as much as they can, and that is not the same.
    const told: string[] = [];
    for (const workload of chosen) told.push(await differences(workload, before, now));
    const lines: string[] = [];
    for (const [index, workload] of chosen.entries()) {
      lines.push(line(await measurePair(workload, contenders, options), told[index] as string));
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
  tell(`${workload.name}: ${rate} of the rate before, ${cpu} of its processor time a request, without caches`);
  return pair;
}

/** The contract may have changed in between: what answers differ is told, and stops nothing. */
async function differences(workload: Workload, before: Contender, now: Contender): Promise<string> {
  if (workload.paths.length === 0) return '';
  const { asked, different, headers } = await countDifferences(workload, before, now, MOST_COMPARED);
  const named = headers.length > 0 ? ` (headers ${headers.join(', ')})` : '';
  tell(`${workload.name}: ${different} of ${asked} answers differ${different > 0 ? named : ''}`);
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

/** CPU: processor time of the server process for one request, in microseconds. */
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
