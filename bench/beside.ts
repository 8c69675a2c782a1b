import type { Driver } from './database.js';
import { measureEach, type Plan, type Run } from './measure.js';
import type { Contender } from './processes.js';
import { rateRatio, whole } from './report.js';
import { log } from './tell.js';
import type { Workload } from './workloads.js';

/** Pages, and the JSON with the same events: what a page may cost is told by the rate of the JSON (pages P10). */
export interface Beside {
  readonly page: Workload;
  readonly json: Workload;
  /** The minimum ratio of the rates without caches. With caches it is MIN_CACHED. */
  readonly minUncached: number;
}

export interface BesideRuns {
  readonly beside: Beside;
  /** Without caches, and with them. */
  readonly uncached: PageAndJson;
  readonly cached: PageAndJson;
}

interface PageAndJson {
  readonly page: Run;
  readonly json: Run;
}

const MIN_CACHED = 0.9;
const MAX_PAGES = 100;
/** A grid of weeks also shows some days of the months before and after: with these events it has a hundred. */
const EVENTS_OF_MONTH = 88;

/** Returns the workloads of pages. `all`: those of JSON, of which some are asked beside them. */
export async function besideWorkloads(driver: Driver, all: readonly Workload[]): Promise<Beside[]> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  // As many as the cache holds: a page weighs more than its JSON.
  const slugs = all.find(({ name }) => name === 'slug')?.paths.slice(0, MAX_PAGES) ?? [];
  const [{ month } = { month: yesterday.slice(0, 7) }] = await driver.rows<{ month: string }>(
    `SELECT substr(start_local, 1, 7) AS month FROM events WHERE status = 'publish' AND hide_from_listings = 0
     GROUP BY substr(start_local, 1, 7) ORDER BY abs(count(*) - ${EVENTS_OF_MONTH}), 1 LIMIT 1`,
  );
  const beside = (
    name: string,
    about: string,
    page: readonly string[],
    json: readonly string[],
    minUncached: number,
  ) => ({
    page: { name, about, paths: page, mount: '' as const },
    json: { name: `${name}, as JSON`, about, paths: json },
    minUncached,
  });
  const list = `/events?ends_after=${yesterday}&per_page=20`;
  const hundred = `/events?start_date=${month}-01&per_page=100`;
  return [
    beside('pagelist', 'the page of upcoming events', ['/'], [list], 0.5),
    beside('pageevent', 'the page of an event', slugs.map(pageOfSlug), slugs, 0.5),
    beside('pagemonth', 'the page of a month of 100 events', [`/events/month/${month}/`], [hundred], 0.4),
  ];
}

/** `/events/by-slug/jazz` is the JSON of `/event/jazz/`. */
function pageOfSlug(path: string): string {
  return `${path.replace('/events/by-slug/', '/event/')}/`;
}

/** Measures a page and its JSON in alternating runs, of a service without caches and of one with them. */
export async function measureBeside(
  beside: Beside,
  uncached: Contender,
  cached: Contender,
  plan: Plan,
): Promise<BesideRuns> {
  const runnersOf = (contender: Contender) =>
    [beside.page, beside.json].map((workload) => ({
      name: `${contender.name}: ${workload.name}`,
      contender,
      workload,
    }));
  const runs = await measureEach([uncached, cached].flatMap(runnersOf), plan);
  const of = (contender: Contender) => {
    const [page, json] = runnersOf(contender).map(({ name }) => runs.get(name)!);
    return { page: page!, json: json! };
  };
  const measured = { beside, uncached: of(uncached), cached: of(cached) };
  const [one, other] = ratiosOf(measured);
  log(`${beside.page.name}: ${one.toFixed(2)} of the JSON, ${other.toFixed(2)} with caches`);
  return measured;
}

function ratiosOf({ uncached, cached }: BesideRuns): [uncached: number, cached: number] {
  return [rateRatio(uncached.page, uncached.json), rateRatio(cached.page, cached.json)];
}

/** Returns whether a page is slower than P10 permits. */
export function isBehind(runs: BesideRuns): boolean {
  const [uncached, cached] = ratiosOf(runs);
  return uncached < runs.beside.minUncached || cached < MIN_CACHED;
}

/** Returns a Markdown table of the rates, their ratios, and what the ratios have to be at least. */
export function besideTable(all: readonly BesideRuns[]): string {
  if (all.length === 0) return '';
  const group = ['pages/s', 'JSON/s', 'ratio', 'at least'];
  const head = `| Page | ${[...group.map((name) => `no caches: ${name}`), ...group].join(' | ')} |`;
  const lines = all.map((runs) => {
    const { beside, uncached, cached } = runs;
    const [one, other] = ratiosOf(runs);
    const cells = [...cellsOf(uncached, one, beside.minUncached), ...cellsOf(cached, other, MIN_CACHED)];
    return `| ${[beside.page.about, ...cells].join(' | ')} |`;
  });
  return [head, `| --- |${' --: |'.repeat(2 * group.length)}`, ...lines].join('\n');
}

function cellsOf({ page, json }: PageAndJson, ratio: number, least: number): string[] {
  return [whole(page.requestsPerSecond), whole(json.requestsPerSecond), `**${ratio.toFixed(2)}**`, String(least)];
}
