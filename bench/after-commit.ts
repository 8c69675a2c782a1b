import { commit, lastEventId } from './commit.js';
import type { Driver } from './database.js';
import type { Contender } from './processes.js';
import { ask, MOUNT, percentiles, type Percentiles } from './single-request.js';
import type { Workload } from './workloads.js';

/** How long single requests take of which each is the first after a commit of another process, in milliseconds. */
export interface AfterCommit {
  readonly workload: Workload;
  /** By contender. */
  readonly times: ReadonlyMap<string, Percentiles & { readonly unavailable: number }>;
}

/** Requests for each contender. They come one after the other, so that no two wait for the same work. */
const REQUESTS = 60;
/**
 * The first ones compile code and fill caches of the database: at least so many, and for so long. Reads after commits take another
 * way through the code than repeated ones, by which the contenders were warmed up before.
 */
const MIN_WARM_UP = 15;
const WARM_UP_MS = 5_000;

/**
 * Measures requests right after a commit, which empties what depends on the version of the database. Before, each path is
 * requested once, so that caches are full. Contenders take turns. Responses with 503 count as slow as they are, and are
 * counted.
 */
export async function measureAfterCommit(
  workload: Workload,
  contenders: readonly Contender[],
  driver: Driver,
  headers: Readonly<Record<string, string>> = {},
): Promise<AfterCommit> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const refused = new Map<string, number>();
  const last = await lastEventId(driver);
  for (const path of workload.paths) for (const contender of contenders) await ask(contender, MOUNT + path, headers);
  const began = performance.now();
  let measured = 0;
  for (let n = 0; measured < REQUESTS; n += 1) {
    const isMeasured = n >= MIN_WARM_UP && performance.now() - began > WARM_UP_MS;
    if (isMeasured) measured += 1;
    for (const contender of contenders) {
      await commit(driver, n, last);
      const path = MOUNT + (workload.paths[n % workload.paths.length] as string);
      const { status, milliseconds } = await ask(contender, path, headers);
      if (status !== 200 && status !== 503) throw new Error(`${contender.name} answers ${status} to ${path}`);
      if (!isMeasured) continue;
      times.get(contender.name)!.push(milliseconds);
      if (status === 503) refused.set(contender.name, (refused.get(contender.name) ?? 0) + 1);
    }
  }
  const results = [...times].map(
    ([name, all]) => [name, { ...percentiles(all), unavailable: refused.get(name) ?? 0 }] as const,
  );
  return { workload, times: new Map(results) };
}

/** Returns a Markdown table of the medians and the slowest hundredth, in milliseconds. */
export function afterCommitTable(results: readonly AfterCommit[]): string {
  const names = [...(results[0]?.times.keys() ?? [])];
  const head = `| Right after a commit, ms | ${names.map((name) => `${name}: p50 | p99`).join(' | ')} |`;
  const lines = results.map(({ workload, times }) => {
    const cells = names.flatMap((name) => {
      const { p50, p99, unavailable } = times.get(name)!;
      return [p50.toFixed(1), p99.toFixed(1) + (unavailable > 0 ? ` (${unavailable} × 503)` : '')];
    });
    return `| ${workload.about} | ${cells.join(' | ')} |`;
  });
  return [head, `| --- |${' --: |'.repeat(names.length * 2)}`, ...lines].join('\n');
}
