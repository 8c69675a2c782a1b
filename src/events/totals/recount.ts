import { COUNT_COLUMN, type Counter } from '../../database/sql/counters.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { ALL_CHANGED, type Transaction } from '../../database/connection/transaction.js';
import { SCHEDULED_TERMS, TERM_COUNTS } from '../../terms/term.counts.js';
import { DAY_COUNTS, SCHEDULED_DAYS } from './stored-counts.js';

/** The wrong stored counts of one table. */
export interface WrongCounts {
  readonly table: string;
  /** The number of wrong rows. */
  readonly total: number;
  /** The first wrong rows. */
  readonly examples: readonly WrongCount[];
}

interface WrongCount {
  /** The key of the count, such as `term_id 12`. */
  readonly key: string;
  readonly kept: number;
  readonly counted: number;
}

const MAX_EXAMPLES = 20;

/** A counter with the query that counts its events. The query selects the columns of the key, and `event_count`. */
interface Recounted {
  readonly counter: Counter;
  readonly scan: string;
}

const RECOUNTED: readonly Recounted[] = [
  { counter: TERM_COUNTS, scan: termScan("'publish', 'future'") },
  { counter: SCHEDULED_TERMS, scan: termScan("'future'") },
  { counter: DAY_COUNTS, scan: dayScan("'publish', 'future'") },
  { counter: SCHEDULED_DAYS, scan: dayScan("'future'") },
];

/** Returns stored counts that differ from those of a scan. `sql` must read from one snapshot. */
export async function findWrongCounts(sql: Sql): Promise<WrongCounts[]> {
  const found: WrongCounts[] = [];
  for (const recounted of RECOUNTED) {
    const wrong = await wrongCountsOf(sql, recounted);
    if (wrong.total > 0) found.push(wrong);
  }
  return found;
}

/** Recounts all events and returns the counts that were wrong. The lock keeps other transactions from committing. */
export async function recountEvents(tx: Transaction): Promise<WrongCounts[]> {
  await tx.lockVersion();
  // The operator changed rows by hand, of which the change record knows nothing.
  tx.recordChange(ALL_CHANGED, 0, 0);
  const wrong = await findWrongCounts(tx);
  for (const { counter, scan } of RECOUNTED) {
    if (!wrong.some(({ table }) => table === counter.table)) continue;
    await tx.execute(`DELETE FROM ${counter.table}`);
    await tx.execute(`INSERT INTO ${counter.table} (${[...counter.key, COUNT_COLUMN].join(', ')}) ${scan}`);
  }
  return wrong;
}

async function wrongCountsOf(sql: Sql, { counter: { table, key }, scan }: Recounted): Promise<WrongCounts> {
  const columns = key.join(', ');
  // Ignores counts of deleted terms, which a write concurrent with the deletion may leave. Nothing reads them.
  const exists = key.includes('term_id') ? `WHERE term_id IN (SELECT id FROM ${TABLES.terms})` : '';
  const wrong = `SELECT ${columns}, sum(kept) AS kept, sum(counted) AS counted FROM (
      SELECT ${columns}, ${COUNT_COLUMN} AS kept, 0 AS counted FROM ${table} ${exists}
      UNION ALL SELECT ${columns}, 0 AS kept, ${COUNT_COLUMN} AS counted FROM (${scan}) s
    ) c GROUP BY ${columns} HAVING sum(kept) <> sum(counted)`;
  const [row] = await sql.query<{ total: number }>(`SELECT count(*) AS total FROM (${wrong}) w`);
  const total = Number(row?.total ?? 0);
  if (total === 0) return { table, total, examples: [] };
  const rows = await sql.query<Record<string, string | number>>(`${wrong} ORDER BY ${columns} LIMIT ${MAX_EXAMPLES}`);
  const examples = rows.map((example) => ({
    key: key.map((column) => `${column} ${example[column]}`).join(', '),
    kept: Number(example.kept),
    counted: Number(example.counted),
  }));
  return { table, total, examples };
}

function termScan(statuses: string): string {
  return `SELECT l.term_id, count(*) AS ${COUNT_COLUMN} FROM ${TABLES.eventTerms} l
    JOIN ${TABLES.events} e ON e.id = l.event_id JOIN ${TABLES.terms} t ON t.id = l.term_id
    WHERE e.status IN (${statuses}) GROUP BY l.term_id`;
}

function dayScan(statuses: string): string {
  return `SELECT hide_from_listings, substr(start_utc, 1, 10) AS start_day, substr(end_utc, 1, 10) AS end_day,
    count(*) AS ${COUNT_COLUMN} FROM ${TABLES.events}
    WHERE status IN (${statuses}) GROUP BY hide_from_listings, start_day, end_day`;
}
