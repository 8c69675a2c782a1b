import { request } from 'node:http';
import type { Driver } from './database.js';
import type { Contender } from './processes.js';
import type { Workload } from './workloads.js';

/** How long single requests take of which each is the first after a commit of another process, in milliseconds. */
export interface AfterCommit {
  readonly workload: Workload;
  /** By contender. */
  readonly times: ReadonlyMap<string, { readonly p50: number; readonly p99: number }>;
}

/** Requests for each contender. They come one after the other, so that no two wait for the same work. */
const REQUESTS = 60;
/** The first ones compile code and fill caches of the database. */
const WARM_UP = 15;

/**
 * Measures requests right after a commit, which empties what depends on the version of the database. The commit changes one
 * event without a difference, as an editor does who saves a form again. Contenders take turns.
 */
export async function measureAfterCommit(
  workload: Workload,
  contenders: readonly Contender[],
  driver: Driver,
): Promise<AfterCommit> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const [{ last }] = (await driver.rows<{ last: number }>('SELECT max(id) AS last FROM events')) as [{ last: number }];
  for (let n = 0; n < WARM_UP + REQUESTS; n += 1) {
    for (const contender of contenders) {
      await commit(driver, 1 + ((n * 7_919) % last));
      const time = await timeOf(contender, workload.paths[n % workload.paths.length] as string);
      if (n >= WARM_UP) times.get(contender.name)!.push(time);
    }
  }
  return { workload, times: new Map([...times].map(([name, all]) => [name, percentiles(all)])) };
}

/** Returns a Markdown table of the medians and the slowest hundredth, in milliseconds. */
export function afterCommitTable(results: readonly AfterCommit[]): string {
  const names = [...(results[0]?.times.keys() ?? [])];
  const head = `| Right after a commit, ms | ${names.map((name) => `${name}: p50 | p99`).join(' | ')} |`;
  const lines = results.map(({ workload, times }) => {
    const cells = names.flatMap((name) => [times.get(name)!.p50.toFixed(1), times.get(name)!.p99.toFixed(1)]);
    return `| ${workload.about} | ${cells.join(' | ')} |`;
  });
  return [head, `| --- |${' --: |'.repeat(names.length * 2)}`, ...lines].join('\n');
}

async function commit(driver: Driver, id: number): Promise<void> {
  const made_utc = new Date().toISOString().slice(0, 19).replace('T', ' ');
  await driver.transaction(async (tx) => {
    const seq = await tx.increment('data_version', 'version');
    await tx.insert('changes', [{ seq, kind: 'event.updated', record_id: id, user_id: 1, made_utc }]);
  });
}

function timeOf({ name, port }: Contender, path: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: `/calendar/events/v1${path}`,
      headers: { host: 'localhost:3000' },
    };
    request(options, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 503) resolve(performance.now() - began);
        else reject(new Error(`${name} answers ${response.statusCode} to ${path}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
