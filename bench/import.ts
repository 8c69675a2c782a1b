import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDriver } from './database.js';
import { Bodies, sizesFor } from './dataset/bodies.js';
import { load, SEED, today } from './dataset/load.js';
import { createDatabase } from './dataset/place.js';
import { DataSetRows, type Part } from './dataset/rows.js';
import { command } from './processes.js';
import { nowUtc } from './now-utc.js';

/** The seconds for the same events. */
export interface ImportRun {
  readonly events: number;
  readonly kalends: number;
  readonly raw: number;
}

/** The same number as in an import. */
const EVENTS_PER_TRANSACTION = 200;

/**
 * Imports a file of events with the command line, and inserts the rows of the same events with the bare driver in
 * transactions of the same size. The databases contain all linked records. Raw inserts are timed without generating rows.
 */
export async function measureImport(server: string | undefined, events: number): Promise<ImportRun> {
  const sizes = sizesFor(events);
  const [imported, inserted] = [await createDatabase(server, 'imported'), await createDatabase(server, 'inserted')];
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-import-'));
  try {
    for (const benchDatabase of [imported, inserted]) await load(benchDatabase.url, { ...sizes, events: 0 });
    const bodies = new Bodies(sizes, SEED, today());
    const file = join(folder, 'events.jsonl');
    const stream = createWriteStream(file);
    for (let id = 1; id <= events; id += 1) {
      if (!stream.write(`${JSON.stringify({ ...bodies.event(id), external_id: id })}\n`)) await once(stream, 'drain');
    }
    await once(stream.end(), 'finish');
    const began = performance.now();
    await command('import', imported.url, [file]);
    const kalends = (performance.now() - began) / 1000;
    const raw = await insertRaw(inserted.url, new DataSetRows(bodies, sizes, nowUtc()), events);
    for (const table of ['events', 'event_terms', 'event_venues', 'event_organizers', 'changes', 'imported_lines']) {
      const [left, right] = [await count(imported.url, table), await count(inserted.url, table)];
      if (left !== right) throw new Error(`${table}: ${left} rows imported, ${right} inserted`);
    }
    return { events, kalends, raw };
  } finally {
    await imported.drop();
    await inserted.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function insertRaw(url: string, rows: DataSetRows, events: number): Promise<number> {
  const driver = openDriver(url);
  let seconds = 0;
  for (let first = 1; first <= events; first += EVENTS_PER_TRANSACTION) {
    const last = Math.min(events, first + EVENTS_PER_TRANSACTION - 1);
    const parts: Part[] = [...rows.events(first, last)];
    const began = performance.now();
    await driver.transaction(async (tx) => {
      for (const [table, part] of parts) await tx.insert(table, part);
      const seq = await tx.increment('data_version', 'version');
      const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const made_utc = nowUtc();
      await tx.insert(
        'imported_lines',
        ids.map((event_id) => ({ line_key: `raw-${event_id}`, event_id })),
      );
      await tx.insert(
        'changes',
        ids.map((record_id) => ({ seq, kind: 'event.created', record_id, user_id: 1, made_utc })),
      );
    });
    seconds += (performance.now() - began) / 1000;
  }
  await driver.close();
  return seconds;
}

async function count(url: string, table: string): Promise<number> {
  const driver = openDriver(url);
  const [row] = await driver.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
  await driver.close();
  return Number(row?.n);
}
