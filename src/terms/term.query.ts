import { cachedQuery, cachedRecords } from '../database/cache/read-cache.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { byId } from '../kernel/id-or-slug.js';
import { isBeyond, offsetOf, type Page } from '../kernel/pagination.js';
import { condition, type SqlCondition, isOneOf } from '../kernel/sql-condition.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { notFound } from '../platform/http/responses/record-reply.js';
import { joinCounts, PUBLIC_EVENTS, publicEventsAdded, type TermCounting } from './term.counts.js';
import type { TermKind } from './term.kind.js';
import { comparison, orderClause, type SortedTerm, type TermSort } from './term.sort.js';

/** A term with its number of public events. */
export interface TermRecord {
  readonly kind: TermKind;
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly parent: number;
  readonly modified_utc: UtcTime;
  readonly revision: number;
  readonly event_count: number;
}

interface TermRow extends Omit<TermRecord, 'kind'> {
  readonly taxonomy: string;
}

/** The row of a term without its count. */
export type UncountedTerm = Omit<TermRow, 'event_count'>;

const COLUMNS = 't.id, t.taxonomy, t.slug, t.name, t.name_key, t.description, t.parent, t.modified_utc, t.revision';

/** Returns one page of the terms that match a condition, and their total. */
export async function findTermPage(
  sql: Sql,
  kind: TermKind,
  where: SqlCondition,
  sort: TermSort,
  page: Page,
  nowUtc: UtcTime,
): Promise<{ total: number; terms: TermRecord[] }> {
  const total = await countTerms(sql, where);
  if (total === 0 || isBeyond(total, page)) return { total, terms: [] };
  const compare = comparison(sort);
  if (compare === undefined) {
    const ofPage = {
      sql: `${where.sql} ${orderClause(sort)} LIMIT ? OFFSET ?`,
      params: [...where.params, page.size, offsetOf(page)],
    };
    return { total, terms: (await select(sql, ofPage, nowUtc)).flatMap((row) => ofKinds([kind], row)) };
  }
  const ids = await findComparedIds(sql, where, compare);
  const terms = await findTerms(sql, [kind], ids.slice(offsetOf(page), offsetOf(page) + page.size), nowUtc);
  return { total, terms: ids.map((id) => terms.get(id)).filter((term) => term !== undefined) };
}

/** The name under which terms without their counts are cached across commits. */
export const UNCOUNTED_TERMS = `${TABLES.terms} uncounted`;

/** Returns the terms with these ids and kinds, in the order of the ids. */
export async function findTerms(
  sql: Sql,
  kinds: readonly TermKind[],
  ids: readonly number[],
  counting: TermCounting,
): Promise<Map<number, TermRecord>> {
  const rows = typeof counting === 'string' ? await counted(sql, ids, counting) : await uncounted(sql, ids, counting);
  return new Map(rows.flatMap((row) => ofKinds(kinds, row)).map((term) => [term.id, term]));
}

async function counted(sql: Sql, ids: readonly number[], nowUtc: UtcTime): Promise<TermRow[]> {
  const rows = await cachedRecords(sql, TABLES.terms, ids, (database, missing) =>
    select(database, isOneOf('t.id', missing), nowUtc),
  );
  return [...rows.values()];
}

async function uncounted(sql: Sql, ids: readonly number[], countOf: (id: number) => number): Promise<TermRow[]> {
  const rows = await cachedRecords(sql, UNCOUNTED_TERMS, ids, (database, missing) => {
    const { sql: where, params } = isOneOf('t.id', missing);
    return database.query<UncountedTerm>(`SELECT ${COLUMNS} FROM ${TABLES.terms} t WHERE ${where}`, params);
  });
  return [...rows.values()].map((row) => ({ ...row, event_count: countOf(row.id) }));
}

/** Returns up to `count` terms with higher ids, by id. */
export async function findTermsAfter(
  sql: Sql,
  kind: TermKind,
  id: number,
  count: number,
  nowUtc: UtcTime,
): Promise<TermRecord[]> {
  const where = condition('t.taxonomy = ? AND t.id > ? ORDER BY t.id LIMIT ?', kind.taxonomy, id, count);
  return (await select(sql, where, nowUtc)).flatMap((row) => ofKinds([kind], row));
}

/** Returns the term with an id, or throws a 404. */
export async function getTerm(sql: Sql, kind: TermKind, id: number, nowUtc: UtcTime): Promise<TermRecord> {
  const term = (await findTerms(sql, [kind], [id], nowUtc)).get(id);
  if (term === undefined) throw notFound(kind.notFound, byId(id));
  return term;
}

async function countTerms(sql: Sql, where: SqlCondition): Promise<number> {
  const [row] = await cachedQuery<{ total: number }>(
    sql,
    `SELECT count(*) AS total FROM ${TABLES.terms} t WHERE ${where.sql}`,
    where.params,
  );
  return Number(row?.total ?? 0);
}

async function select(sql: Sql, where: SqlCondition, nowUtc: UtcTime): Promise<TermRow[]> {
  const counts = joinCounts('t', nowUtc);
  const rows = await cachedQuery<TermRow>(
    sql,
    `SELECT ${COLUMNS}, ${PUBLIC_EVENTS} AS event_count FROM ${TABLES.terms} t ${counts.sql} WHERE ${where.sql}`,
    [...counts.params, ...where.params],
  );
  return rows.map((row) => ({
    ...row,
    event_count: Number(row.event_count) + publicEventsAdded(sql, row.id),
  }));
}

/** Returns the term with its kind, or nothing if it has another kind. */
function ofKinds(kinds: readonly TermKind[], { taxonomy, ...row }: TermRow): TermRecord[] {
  return kinds.filter((kind) => kind.taxonomy === taxonomy).map((kind) => ({ ...row, kind }));
}

/** Returns all ids in an order that SQL cannot produce. Reads only the columns to compare. */
async function findComparedIds(
  sql: Sql,
  where: SqlCondition,
  compare: (a: SortedTerm, b: SortedTerm) => number,
): Promise<number[]> {
  const terms = await sql.query<SortedTerm>(
    `SELECT t.id, t.description FROM ${TABLES.terms} t WHERE ${where.sql}`,
    where.params,
  );
  return terms.toSorted(compare).map(({ id }) => id);
}

/** Returns the ids of the given terms and of all their descendants. */
export async function findBranches(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const roots = isOneOf('id', ids);
  const rows = await sql.query<{ id: number }>(
    `WITH RECURSIVE branches (id) AS (
      SELECT id FROM ${TABLES.terms} WHERE ${roots.sql}
      UNION SELECT c.id FROM ${TABLES.terms} c JOIN branches p ON c.parent = p.id
    ) SELECT id FROM branches`,
    roots.params,
  );
  return rows.map(({ id }) => id);
}
