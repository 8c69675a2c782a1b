import { deepStrictEqual } from 'node:assert';
import { request } from 'node:http';
import type { Contender } from './processes.js';
import type { Workload } from './workloads.js';

const MOUNT = '/calendar/events/v1';

interface Reply {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** Throws unless both return the same bytes and headers, apart from X-Request-Id and Date. */
export async function checkEqual(workload: Workload, one: Contender, other: Contender, paths: number): Promise<void> {
  const unavailable = await compareAvailable(workload, one, other, paths);
  if (unavailable > 0) throw new Error(`${one.name} answers 503 to ${unavailable} paths of ${workload.about}`);
}

/**
 * Like `checkEqual`, but leaves out the responses of `one` that are 503, and returns their number: by SQL alone, lists of a million
 * events exceed the deadline.
 */
export async function compareAvailable(
  workload: Workload,
  one: Contender,
  other: Contender,
  paths: number,
): Promise<number> {
  let unavailable = 0;
  for (const path of workload.paths.slice(0, paths)) {
    const [left, right] = [await get(one, path), await get(other, path)];
    if (left.status === 503) unavailable += 1;
    else if (left.status !== 200) throw new Error(`${one.name} answers ${left.status} to ${path}: ${left.text}`);
    else deepStrictEqual(right, left);
  }
  return unavailable;
}

/** Counts the responses that differ, and returns the names of the headers that differ. */
export async function countDifferences(
  workload: Workload,
  one: Contender,
  other: Contender,
  paths: number,
): Promise<{ readonly asked: number; readonly different: number; readonly headers: readonly string[] }> {
  const headers = new Set<string>();
  const asked = workload.paths.slice(0, paths);
  let different = 0;
  for (const path of asked) {
    const [left, right] = [await get(one, path), await get(other, path)];
    const names = Object.keys({ ...left.headers, ...right.headers });
    const changed = names.filter((name) => String(left.headers[name]) !== String(right.headers[name]));
    changed.forEach((name) => headers.add(name));
    if (changed.length > 0 || left.status !== right.status || left.text !== right.text) different += 1;
  }
  return { asked: asked.length, different, headers: [...headers].toSorted() };
}

/** Returns the ETag of a path, for conditional reads. */
export async function etagOf(contender: Contender, path: string): Promise<string> {
  return String((await get(contender, path)).headers.etag);
}

function get({ port }: Contender, path: string): Promise<Reply> {
  // The same host for both, because links contain it.
  const headers = { host: 'localhost:3000' };
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: MOUNT + path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { date: _date, 'x-request-id': _id, ...others } = response.headers;
        resolve({ status: response.statusCode, headers: others, text });
      });
    })
      .on('error', reject)
      .end();
  });
}
