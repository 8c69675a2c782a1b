import { deepStrictEqual } from 'node:assert';
import type { Driver } from './database.js';
import type { Sizes } from './dataset/bodies.js';
import { ADMIN_TOKEN, type Contender } from './processes.js';
import { createRequests, type Written } from './workloads.js';

const TABLES = ['events', 'event_venues', 'event_organizers', 'event_terms', 'changes', 'images'];
/** Columns that depend on the order of writes. */
const ORDER_DEPENDENT = ['id', 'event_id', 'record_id', 'seq', 'slug', 'title', 'title_key', 'search_text', 'date_utc'];
const TIME_DEPENDENT = ['modified_utc', 'public_from', 'made_utc'];

/** Throws unless both write the same rows, and answer the same bodies, for a create and an update. */
export async function checkWritten(driver: Driver, sizes: Sizes, one: Contender, other: Contender): Promise<void> {
  const create = createRequests(sizes)();
  const [left, right] = [await rowsAfter(driver, one, create, 1), await rowsAfter(driver, other, create, 2)];
  deepStrictEqual(right, left);
}

/** Returns a body without what differs between two events: ids, times, and the texts made of the title. */
function comparable(body: { readonly id: number; readonly slug: string }): object {
  const text = JSON.stringify(body)
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    // The second create adds to what the first has counted.
    .replaceAll(/"count":\d+/g, '"count":0')
    .replaceAll(body.slug, 'SLUG')
    .replaceAll(/Compared \d+ \d/g, 'TITLE')
    .replaceAll(new RegExp(`([/=:])${body.id}\\b`, 'g'), (_found, before: string) => `${before}0`);
  const {
    date: _a,
    date_utc: _b,
    modified: _c,
    modified_utc: _d,
    ...others
  } = JSON.parse(text) as Record<string, unknown>;
  return others;
}

async function rowsAfter(driver: Driver, contender: Contender, create: Written, n: number): Promise<object> {
  const before = await counts(driver);
  const created = await write(contender, { ...create, body: { ...create.body, title: `Compared ${Date.now()} ${n}` } });
  const { id } = created;
  const updated = await write(contender, {
    method: 'PUT',
    path: `/events/${id}`,
    body: { title: 'Compared', description: '<p>New</p>' },
  });
  const after = await counts(driver);
  const rows: Record<string, object[]> = {};
  for (const [table, column] of [
    ['events', 'id'],
    ['event_venues', 'event_id'],
    ['event_organizers', 'event_id'],
    ['event_terms', 'event_id'],
    ['changes', 'record_id'],
  ] as const) {
    const stored = await driver.rows(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY 1, 2`, [id]);
    rows[table] = stored.map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(([name]) => ![...ORDER_DEPENDENT, ...TIME_DEPENDENT].includes(name)),
      ),
    );
  }
  return {
    bodies: [created, updated].map(comparable),
    grown: TABLES.map((table, index) => [table, (after[index] ?? 0) - (before[index] ?? 0)]),
    rows,
  };
}

async function counts(driver: Driver): Promise<number[]> {
  const all: number[] = [];
  for (const table of TABLES) {
    const [row] = await driver.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
    all.push(Number(row?.n));
  }
  return all;
}

async function write(
  { name, port }: Contender,
  { method, path, body }: Written,
): Promise<{ id: number; slug: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/calendar/events/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${name} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: number; slug: string };
}
