import type { Dialect, Sql } from '../../database/sql/dialect.js';
import { type ReadCache, cachedQuery } from '../../database/cache/read-cache.js';
import { INDEXES, TABLES } from '../../database/sql/tables.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { ALWAYS, allOf, type SqlCondition, condition, not } from '../../kernel/sql-condition.js';
import { publicCountCorrection, isStatusDue } from '../../kernel/visibility.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { statusWords } from '../../posts/post.access.js';
import { isOfWholeDays, onEdges, possibleDays, rangesOf, wholeDays } from './day-ranges.js';
import { eventCondition, type EventFilter, furtherFilters, hiddenFlag } from '../filter/filter.js';
import { countedIndex, indexHint } from '../filter/index-hints.js';
import { countEvents } from '../event.query.js';

/** How many events a list has, one by one. */
export function countMatches(
  sql: ReadCache,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number> {
  const hint = indexHint(dialect, filter, countedIndex(filter));
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
 * or ends the events are looked at. Undefined where that is no shorter way, or where a commit came between the statements.
 */
export async function totalByDays(
  sql: ReadCache,
  dialect: Dialect,
  filter: EventFilter,
  context: RequestContext,
): Promise<number | undefined> {
  // The sums are held against the number of the last commit, which must be there to be read.
  if (sql.entries.version === undefined || !isWindow(filter, context)) return undefined;
  const { nowUtc } = context;
  const days = await countDays(sql, dialect, filter, nowUtc);
  const ranges = rangesOf(days.edges);
  if (ranges.length === 0) return days.events;
  if (ranges.length > MOST_RANGES) return undefined;
  const isPublic = condition('e.public_from <= ?', nowUtc);
  const onDays = ranges.map((range) => allOf([onItsSide('e', filter), onEdges(filter, range), isPublic]));
  const edges = await countEdges(sql, dialect, onDays);
  return edges.version === days.version ? days.events + edges.events : undefined;
}

interface Days {
  /** The number of the last commit that is counted. */
  readonly version: number;
  readonly events: number;
  /** Days on which further events start, some of which may keep to the window. */
  readonly edges: readonly string[];
}

async function countDays(sql: Sql, dialect: Dialect, filter: EventFilter, nowUtc: UtcTime): Promise<Days> {
  const parts = [
    ...keptDays(TABLES.eventDays, 'd.event_count', filter),
    ...keptDays(TABLES.scheduledDays, '-d.event_count', filter),
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

/** Counts that are kept by days: what is published or scheduled, and what is scheduled of it. */
function keptDays(table: string, count: string, filter: EventFilter): SqlCondition[] {
  const where = allOf([onItsSide('d', filter), condition('d.event_count <> 0'), possibleDays(filter)]);
  return sumOfDays(condition(`${table} d`), count, where, filter);
}

/** What the clock has changed of it since. */
function correctedDays(dialect: Dialect, filter: EventFilter, nowUtc: UtcTime): SqlCondition[] {
  const { sql, params } = allOf([isStatusDue('e', nowUtc), onItsSide('e', filter)]);
  const days =
    `(SELECT substr(e.start_utc, 1, 10) AS start_day, substr(e.end_utc, 1, 10) AS end_day, ` +
    `${publicCountCorrection('e')} AS event_count FROM ${TABLES.events} e${dialect.byIndex(INDEXES.eventStatus)} WHERE ${sql}) d`;
  return sumOfDays(condition(days, ...params), 'd.event_count', possibleDays(filter), filter);
}

/** The events of days `d` that are whole, as a plain sum, and a row for each day on which others start. */
function sumOfDays(days: SqlCondition, count: string, where: SqlCondition, filter: EventFilter): SqlCondition[] {
  const part = (edge: string, sum: string, side: SqlCondition, end = '') =>
    condition(
      `SELECT 'days' AS part, ${edge} AS edge, ${sum} AS sum FROM ${days.sql} WHERE ${where.sql} AND ${side.sql}${end}`,
      ...days.params,
      ...where.params,
      ...side.params,
    );
  const sum = (side: SqlCondition) => part('NULL', `sum(${count})`, side);
  if (isOfWholeDays(filter)) return [sum(ALWAYS)];
  const whole = wholeDays(filter);
  return [sum(whole), part('d.start_day', '0', not(whole), ' GROUP BY d.start_day')];
}

/** The events that fulfil any of the conditions, which none fulfils twice, and the number of the last commit. */
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

/** The rows of a public list's side of `hide_from_listings`. */
function onItsSide(alias: string, { params }: EventFilter): SqlCondition {
  return condition(`${alias}.hide_from_listings = ?`, hiddenFlag(params) ?? null);
}
