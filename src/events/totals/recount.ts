import { COUNT_COLUMN, type Counter } from '../../database/sql/counters.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { SCHEDULED_TERMS, TERM_COUNTS } from '../../terms/term.counts.js';
import { DAY_COUNTS, SCHEDULED_DAYS } from './stored-counts.js';

/** What is wrong with the kept counts of one table. */
export interface WrongCounts {
  readonly table: string;
  /** How many rows are wrong. */
  readonly total: number;
  /** The first of them. */
  readonly examples: readonly WrongCount[];
}

interface WrongCount {
  /** What is counted: `term_id 12`. */
  readonly key: string;
  readonly kept: number;
  readonly counted: number;
}

const MOST_EXAMPLES = 20;

/** A counter, and the statement that counts its events: the columns of its key, and `event_count`. */
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

/** Looks for counts that are not what a scan finds. `sql` sees the state of one moment. */
export async function findWrongCounts(sql: Sql): Promise<WrongCounts[]> {
  const found: WrongCounts[] = [];
  for (const recounted of RECOUNTED) {
    const wrong = await wrongCountsOf(sql, recounted);
    if (wrong.total > 0) found.push(wrong);
  }
  return found;
}

/** Counts all events anew, where rows were changed by hand, and answers what was wrong. Nobody commits meanwhile. */
export async function recountEvents(tx: Transaction): Promise<WrongCounts[]> {
  await tx.lockVersion();
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
  // Writes beside the deletion of a term may leave a count of it, which nobody asks for any more.
  const isThere = key.includes('term_id') ? `WHERE term_id IN (SELECT id FROM ${TABLES.terms})` : '';
  const wrong = `SELECT ${columns}, sum(kept) AS kept, sum(counted) AS counted FROM (
      SELECT ${columns}, ${COUNT_COLUMN} AS kept, 0 AS counted FROM ${table} ${isThere}
      UNION ALL SELECT ${columns}, 0 AS kept, ${COUNT_COLUMN} AS counted FROM (${scan}) s
    ) c GROUP BY ${columns} HAVING sum(kept) <> sum(counted)`;
  const [row] = await sql.query<{ total: number }>(`SELECT count(*) AS total FROM (${wrong}) w`);
  const total = Number(row?.total ?? 0);
  if (total === 0) return { table, total, examples: [] };
  const rows = await sql.query<Record<string, string | number>>(`${wrong} ORDER BY ${columns} LIMIT ${MOST_EXAMPLES}`);
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
