import type { Dialect, Sql } from '../database/dialect.js';
import { type Reading, recall } from '../database/reading.js';
import { TABLES } from '../database/tables.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { statusWords } from '../posts/post.access.js';
import { type DayRange, onEdges, possibleDays, rangesOf, wholeDays } from './event.days.js';
import { eventCondition, type EventFilter, furtherFilters, hiddenFlag, inWindow } from './event.filter.js';
import { countsByList, indexHint, LIST_INDEX, PUBLIC_INDEX } from './event.plan.js';
import { countEvents } from './event.query.js';

/** How many events a list has, one by one. */
export function countMatches(
  sql: Reading,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number> {
  const hint = indexHint(dialect, filter, countsByList(filter));
  return countEvents(sql.scans, eventCondition(filter, context), hint);
}

/** Whether a public list is restricted by nothing but dates. */
function isWindow(filter: EventFilter, context: RequestContext): boolean {
  return isPublicList(filter, context) && furtherFilters(filter, context).length === 0;
}

/** Whether a list shows what is public, hidden or not. */
export function isPublicList({ params }: EventFilter, context: RequestContext): boolean {
  return String(statusWords(params.status, context)) === 'publish' && hiddenFlag(params) !== undefined;
}

/** With more the events are counted one by one. */
const MOST_RANGES = 20;

/**
 * The total of a public window as a sum over days: what lies within the window counts by days, of days on which it begins
 * or ends the events are looked at, and those that become public later are taken off. Undefined where that is no shorter
 * way, or where a commit came between the statements.
 */
export async function totalByDays(
  sql: Reading,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number | undefined> {
  // The sums are held against the number of the last commit, which must be there to be read.
  if (sql.memory.version === undefined || !isWindow(filter, context)) return undefined;
  const { nowUtc } = context;
  const days = await countDays(sql, dialect, filter, nowUtc);
  const ranges = rangesOf(days.edges);
  if (ranges.length === 0) return days.events;
  if (ranges.length > MOST_RANGES) return undefined;
  const edges = await countEdges(sql, dialect, filter, ranges);
  return edges.version === days.version ? days.events + edges.events : undefined;
}

interface Days {
  /** The number of the last commit that is counted. */
  readonly version: number;
  readonly events: number;
  /** Days on which further events start, some of which may keep to the window. */
  readonly edges: readonly string[];
}

async function countDays(sql: Sql, dialect: Dialect, filter: EventFilter, nowUtc: string): Promise<Days> {
  const [whole, possible, window] = [wholeDays(filter), possibleDays(filter), inWindow(filter)];
  const rows = await recall<{ part: string; edge: string | null; sum: number }>(
    sql,
    `SELECT 'days' AS part, CASE WHEN ${whole.sql} THEN NULL ELSE d.start_day END AS edge, sum(d.event_count) AS sum
     FROM ${TABLES.eventDays} d
     WHERE d.hide_from_listings = ? AND d.event_count <> 0 AND ${possible.sql} GROUP BY edge
     UNION ALL SELECT 'later', NULL, count(*) FROM ${TABLES.events} e${dialect.byIndex(PUBLIC_INDEX)}
     WHERE e.public_from > ? AND ${window.sql}
     UNION ALL SELECT 'version', NULL, version FROM ${TABLES.dataVersion} WHERE id = 1`,
    [...whole.params, hiddenFlag(filter.params) ?? null, ...possible.params, nowUtc, ...window.params],
  );
  const sumOf = (name: string) => Number(rows.find(({ part, edge }) => part === name && edge === null)?.sum ?? 0);
  return {
    version: sumOf('version'),
    events: sumOf('days') - sumOf('later'),
    edges: rows.map(({ edge }) => edge).filter((edge) => edge !== null),
  };
}

async function countEdges(sql: Sql, dialect: Dialect, filter: EventFilter, ranges: readonly DayRange[]) {
  const conditions = ranges.map((range) => onEdges(filter, range));
  const counts = conditions.map(
    (condition) =>
      `(SELECT count(*) FROM ${TABLES.events} e${dialect.byIndex(LIST_INDEX)}
       WHERE e.hide_from_listings = ? AND ${condition.sql} AND e.public_from IS NOT NULL)`,
  );
  const [row] = await recall<{ version: number; events: number }>(
    sql,
    `SELECT version, ${counts.join(' + ')} AS events FROM ${TABLES.dataVersion} WHERE id = 1`,
    conditions.flatMap(({ params }) => [hiddenFlag(filter.params) ?? null, ...params]),
  );
  return { version: Number(row?.version ?? 0), events: Number(row?.events ?? 0) };
}
