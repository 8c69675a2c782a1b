/**
 * Keeps a copy of a calendar in a JSON file, with types that openapi-typescript generates from /doc:
 *
 *     npx openapi-typescript http://localhost:3000/calendar/events/v1/doc --output api.ts
 *     npx tsc && node mirror.js http://localhost:3000/calendar/events/v1 copy.json
 *
 * Set TOKEN for more than what is public. With --once it ends when the copy is up to date. docs/copies.md describes the loop.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.js';

export type Api = Client<paths>;
type Change = paths['/changes']['get']['responses'][200]['content']['application/json']['changes'][number];

interface Contents {
  readonly since?: string;
  /** By type and id: `event 12`. */
  readonly records: Record<string, Change['record']>;
}

const WAIT_SECONDS = 50;

export class Copy {
  private contents: Contents = { records: {} };

  constructor(private readonly path: string) {
    if (existsSync(path)) this.contents = JSON.parse(readFileSync(path, 'utf8')) as Contents;
  }

  get since(): string | undefined {
    return this.contents.since;
  }

  take(changes: readonly Change[], since: string): void {
    const records = new Map(Object.entries(this.contents.records));
    for (const { type, id, deleted, record } of changes) {
      if (deleted) records.delete(`${type} ${id}`);
      else records.set(`${type} ${id}`, record);
    }
    this.store({ since, records: Object.fromEntries(records) });
  }

  clear(): void {
    this.store({ records: {} });
  }

  /** Replaces the file as a whole, changes and token together, so that the program may be killed at any time. */
  private store(contents: Contents): void {
    writeFileSync(`${this.path}.part`, JSON.stringify(contents));
    renameSync(`${this.path}.part`, this.path);
    this.contents = contents;
  }
}

/** Takes one answer into the copy. Returns whether there is more already. */
export async function step(api: Api, copy: Copy, wait: number): Promise<boolean> {
  const { since } = copy;
  const query = { per_page: 100, ...(since === undefined ? {} : { since, wait }) };
  const { data, response } = await api.GET('/changes', { params: { query } });
  if (response.status === 410) {
    copy.clear();
    return true;
  }
  if (data === undefined) throw new Error(`/changes answered ${response.status}`);
  copy.take(data.changes, data.next_since);
  await pause(Number(response.headers.get('Retry-After') ?? 0));
  return data.has_more;
}

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

const [root = '', path = '', option] = process.argv.slice(2);
const token = process.env['TOKEN'];
const api = createClient<paths>({
  baseUrl: root,
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
});
const copy = new Copy(path);
const once = option === '--once';
for (let isDone = false; !isDone;) {
  try {
    isDone = !(await step(api, copy, once ? 0 : WAIT_SECONDS)) && once;
  } catch (error) {
    // The service restarts, or the network is away: the next request begins where the last one ended.
    console.error(String(error));
    await pause(1);
  }
}
