import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, command, type Contender } from './processes.js';

/** A new SQLite database with the schema, in a folder of its own. */
export interface EmbeddedDatabase {
  readonly folder: string;
  readonly file: string;
  readonly url: string;
  remove(): void;
}

export async function newDatabase(name: string): Promise<EmbeddedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), `kalends-bench-${name}-`));
  const file = join(folder, 'kalends.sqlite');
  const url = `sqlite:${file}`;
  await command('migrate', url);
  return { folder, file, url, remove: () => rmSync(folder, { recursive: true }) };
}

/** Sends a body as administrator and returns the answer. Throws unless it is 2xx. */
export async function send<Answer = { id: number }>(
  { port }: Contender,
  path: string,
  body?: object,
  method = 'POST',
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/calendar/events/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}

export function createEvent(service: Contender, fields: object = {}): Promise<{ id: number }> {
  const event = { title: 'New', start_date: '2027-05-05 20:00', end_date: '2027-05-05 22:00' };
  return send(service, '/events', { ...event, ...fields });
}

/** Prints a figure and its bound. */
export function report(what: string, found: string, bound: string): void {
  console.log(`${what}: ${found}, bound ${bound}`);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
