import type { Dialect, Sql } from '../../database/sql/dialect.js';
import { type ReadCache, cachedQuery } from '../../database/cache/read-cache.js';
import { INDEXES, TABLES } from '../../database/sql/tables.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { ALWAYS, allOf, type SqlCondition, condition, not } from '../../kernel/sql-condition.js';
import { publicCountCorrection, isStatusDue } from '../../kernel/visibility.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { statusWords } from '../../posts/post.access.js';
import { isAlignedToDays, onEdges, possibleDays, rangesOf, wholeDays } from './day-ranges.js';
import { eventCondition, type EventFilter, otherFilters, hiddenFlag } from '../filter/filter.js';
import { countingIndex, indexHint } from '../filter/index-hints.js';
import { countEvents } from '../event.query.js';

/** Counts the events of a list one by one. */
export function countMatches(
  sql: ReadCache,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number> {
  const hint = indexHint(dialect, filter, countingIndex(filter));
  return countEvents(sql.scans, eventCondition(filter, context), hint);
}

/** Whether a list is public and filters by dates only. */
function isWindow(filter: EventFilter, context: RequestContext): boolean {
  return isPublicList(filter, context) && otherFilters(filter, context).length === 0;
}

/** Whether a list has public events only, and either hidden ones or others, but not both. */
export function isPublicList({ params }: EventFilter, context: RequestContext): boolean {
  return String(statusWords(params.status, context)) === 'publish' && hiddenFlag(params) !== undefined;
}

/** With more ranges, one count of all events is cheaper. */
const MAX_RANGES = 20;

/**
 * Returns the total of a public window as a sum of stored counts by day. Counts events one by one only on the days on
 * which the window starts or ends. undefined: not cheaper, or a commit came between the two statements.
 */
export async function totalByDays(
  sql: ReadCache,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number | undefined> {
  // The data version shows whether a commit came between the statements.
  if (sql.entries.state === undefined || !isWindow(filter, context)) return undefined;
  const { nowUtc } = context;
  const days = await countDays(sql, dialect, filter, nowUtc);
  const ranges = rangesOf(days.edges);
  if (ranges.length === 0) return days.events;
  if (ranges.length > MAX_RANGES) return undefined;
  const isPublic = condition('e.public_from <= ?', nowUtc);
  const onDays = ranges.map((range) => allOf([hasHiddenFlag('e', filter), onEdges(filter, range), isPublic]));
  const edges = await countEdges(sql, dialect, onDays);
  return edges.version === days.version ? days.events + edges.events : undefined;
}

interface Days {
  /** The data version of the counts: the number of the last commit. */
  readonly version: number;
  readonly events: number;
  /** The start days of further events, of which some may be in the window. */
  readonly edges: readonly string[];
}

async function countDays(sql: Sql, dialect: Dialect, filter: EventFilter, nowUtc: UtcTime): Promise<Days> {
  const parts = [
    ...storedDays(TABLES.eventDays, 'd.event_count', filter),
    ...storedDays(TABLES.scheduledDays, '-d.event_count', filter),
    ...correctedDays(dialect, filter, nowUtc),
  ];
  const rows = await cachedQuery<{ part: string; edge: string | null; sum: number }>(
    sql,
    `${parts.map((part) => part.sql).join(' UNION ALL ')}
     UNION ALL SELECT 'version', NULL, version FROM ${TABLES.dataVersion} WHERE id = 1`,
    parts.flatMap(({ params }) => params),
  );
  const sumOf = (name: string) =>
    rows.reduce((sum, row) => (row.part === name && row.edge === null ? sum + Number(row.sum) : sum), 0);
  const edges = rows.map(({ edge }) => edge).filter((edge) => edge !== null);
  return { version: sumOf('version'), events: sumOf('days'), edges: [...new Set(edges)] };
}

/** Returns the parts of the sum that are stored by day. */
function storedDays(table: string, count: string, filter: EventFilter): SqlCondition[] {
  const where = allOf([hasHiddenFlag('d', filter), condition('d.event_count <> 0'), possibleDays(filter)]);
  return sumOfDays(condition(`${table} d`), count, where, filter);
}

/** Returns the parts of the sum for events whose stored status is due to change. */
function correctedDays(dialect: Dialect, filter: EventFilter, nowUtc: UtcTime): SqlCondition[] {
  const { sql, params } = allOf([isStatusDue('e', nowUtc), hasHiddenFlag('e', filter)]);
  const days =
    `(SELECT substr(e.start_utc, 1, 10) AS start_day, substr(e.end_utc, 1, 10) AS end_day, ` +
    `${publicCountCorrection('e')} AS event_count FROM ${TABLES.events} e${dialect.byIndex(INDEXES.eventStatus)} WHERE ${sql}) d`;
  return sumOfDays(condition(days, ...params), 'd.event_count', possibleDays(filter), filter);
}

/** Returns the sum over the days `d` inside the window, and a row for each start day of events that may be inside. */
function sumOfDays(days: SqlCondition, count: string, where: SqlCondition, filter: EventFilter): SqlCondition[] {
  const part = (edge: string, sum: string, restriction: SqlCondition, end = '') =>
    condition(
      `SELECT 'days' AS part, ${edge} AS edge, ${sum} AS sum FROM ${days.sql} WHERE ${where.sql} AND ${restriction.sql}${end}`,
      ...days.params,
      ...where.params,
      ...restriction.params,
    );
  const sum = (restriction: SqlCondition) => part('NULL', `sum(${count})`, restriction);
  if (isAlignedToDays(filter)) return [sum(ALWAYS)];
  const whole = wholeDays(filter);
  return [sum(whole), part('d.start_day', '0', not(whole), ' GROUP BY d.start_day')];
}

/** Counts the events of disjoint conditions, and returns the data version. */
async function countEdges(sql: Sql, dialect: Dialect, conditions: readonly SqlCondition[]) {
  const counts = conditions.map(
    (where) => `(SELECT count(*) FROM ${TABLES.events} e${dialect.byIndex(INDEXES.eventList)} WHERE ${where.sql})`,
  );
  const [row] = await cachedQuery<{ version: number; events: number }>(
    sql,
    `SELECT version, ${counts.join(' + ')} AS events FROM ${TABLES.dataVersion} WHERE id = 1`,
    conditions.flatMap(({ params }) => params),
  );
  return { version: Number(row?.version ?? 0), events: Number(row?.events ?? 0) };
}

/** Returns the condition for the list's value of `hide_from_listings`. */
function hasHiddenFlag(alias: string, { params }: EventFilter): SqlCondition {
  return condition(`${alias}.hide_from_listings = ?`, hiddenFlag(params) ?? null);
}
