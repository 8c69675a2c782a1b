import type { Connection, RowDataPacket } from 'mysql2/promise';

const KEPT_AND_COUNTED = [
  { terms: 'term_counts', days: 'event_days', counted: "('publish', 'future')" },
  { terms: 'scheduled_terms', days: 'scheduled_days', counted: "('future')" },
].flatMap(({ terms, days, counted }) => [
  `SELECT term_id AS what, event_count AS kept, 0 AS counted FROM ${terms}
   UNION ALL
   SELECT l.term_id, 0, count(*) FROM event_terms l JOIN events e ON e.id = l.event_id
   WHERE e.status IN ${counted} GROUP BY l.term_id`,
  `SELECT concat(hide_from_listings, start_day, end_day) AS what, event_count AS kept, 0 AS counted FROM ${days}
   UNION ALL
   SELECT concat(hide_from_listings, substr(start_utc, 1, 10), substr(end_utc, 1, 10)) AS what, 0, count(*)
   FROM events WHERE status IN ${counted} GROUP BY what`,
]);

/** Returns how many stored counts differ from the rows, read in one snapshot. */
export async function wrongCounts(connection: Connection): Promise<number> {
  let wrong = 0;
  await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  for (const rows of KEPT_AND_COUNTED) {
    const [found] = await connection.query<RowDataPacket[]>(
      `SELECT what FROM (${rows}) both_of_them GROUP BY what HAVING sum(kept) <> sum(counted)`,
    );
    wrong += found.length;
  }
  await connection.query('COMMIT');
  return wrong;
}
