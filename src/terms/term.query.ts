import { cachedQuery, cachedRecords, type ReadCache } from '../database/cache/read-cache.js';
import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { byId } from '../kernel/id-or-slug.js';
import { isBeyond, offsetOf, type Page } from '../kernel/pagination.js';
import { allOf, condition, type SqlCondition, isOneOf } from '../kernel/sql-condition.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { notFound } from '../platform/http/responses/record-reply.js';
import { type CountedTerms, hasPublicEvent, publicEventsOf, type TermCounting } from './term.counts.js';
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

/** A list of terms. */
export interface TermList {
  readonly kind: TermKind;
  /** The condition for `terms t`. */
  readonly where: SqlCondition;
  /** Whether it leaves out terms without public events (contract TERM-03). */
  readonly hidesEmpty: boolean;
  readonly sort: TermSort;
}

interface TermPage {
  readonly total: number;
  readonly terms: readonly TermRecord[];
}

/** Returns one page of a list of terms, and the total. */
export function findTermPage(sql: ReadCache, list: TermList, page: Page, counting: TermCounting): Promise<TermPage> {
  return typeof counting === 'string' ? pageBySql(sql.scans, list, page, counting) : pageOf(sql, list, page, counting);
}

async function pageBySql(sql: ReadCache, list: TermList, page: Page, nowUtc: UtcTime): Promise<TermPage> {
  const { kind, sort } = list;
  const where = list.hidesEmpty ? allOf([list.where, isUsed(kind, nowUtc)]) : list.where;
  const total = await countTerms(sql, where);
  if (total === 0 || isBeyond(total, page)) return { total, terms: [] };
  if (comparison(sort) !== undefined) return pageOf(sql, { ...list, where, hidesEmpty: false }, page, nowUtc);
  const ofPage = {
    sql: `${where.sql} ${orderClause(sort)} LIMIT ? OFFSET ?`,
    params: [...where.params, page.size, offsetOf(page)],
  };
  return { total, terms: (await select(sql, ofPage, nowUtc)).flatMap((row) => ofKinds([kind], row)) };
}

/** Sorts all terms of the list in memory. */
async function pageOf(sql: ReadCache, list: TermList, page: Page, counting: TermCounting): Promise<TermPage> {
  const { kind, sort, where } = list;
  const memory = typeof counting === 'string' ? undefined : counting;
  const compare = comparison(sort, memory && ((id) => memory.countOf(id)));
  // Only the columns to compare.
  const rows = await cachedQuery<SortedTerm>(
    sql.scans,
    `SELECT t.id, ${sort.orderby === 'description' ? 't.description' : "'' AS description"}
     FROM ${TABLES.terms} t WHERE ${where.sql} ${compare === undefined ? orderClause(sort) : ''}`,
    where.params,
  );
  const used = list.hidesEmpty ? memory?.usedIds() : undefined;
  const shown = used === undefined ? rows : rows.filter(({ id }) => used.has(id));
  const ids = (compare === undefined ? shown : shown.toSorted(compare)).map(({ id }) => id);
  const onPage = ids.slice(offsetOf(page), offsetOf(page) + page.size);
  const terms = await findTerms(sql, [kind], onPage, counting);
  return { total: ids.length, terms: onPage.map((id) => terms.get(id)).filter((term) => term !== undefined) };
}

/** contract TERM-03: a parent with a used child counts as used. */
function isUsed(kind: TermKind, nowUtc: UtcTime): SqlCondition {
  const has = hasPublicEvent('u.id', nowUtc);
  return condition(
    `t.id IN (WITH RECURSIVE used_terms (id, parent) AS (
      SELECT u.id, u.parent FROM ${TABLES.terms} u WHERE u.taxonomy = ? AND ${has.sql}
      UNION SELECT p.id, p.parent FROM ${TABLES.terms} p JOIN used_terms c ON p.id = c.parent
    ) SELECT id FROM used_terms)`,
    kind.taxonomy,
    ...has.params,
  );
}

/** The name under which terms with their counts are cached until the next commit. */
const COUNTED_TERMS = `${TABLES.terms} with counts`;

/** The SELECT of terms without their counts, to which a lock adds its condition. */
export const SHOWN_TERMS = `SELECT ${COLUMNS.replaceAll('t.', 'p.')} FROM ${TABLES.terms} p`;

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
  const rows = await cachedRecords(sql, COUNTED_TERMS, ids, (database, missing) =>
    select(database, isOneOf('t.id', missing), nowUtc),
  );
  return [...rows.values()];
}

async function uncounted(sql: Sql, ids: readonly number[], counts: CountedTerms): Promise<TermRow[]> {
  const rows = await cachedRecords(sql, TABLES.terms, ids, (database, missing) => {
    const { sql: where, params } = isOneOf('t.id', missing);
    return database.query<UncountedTerm>(`SELECT ${COLUMNS} FROM ${TABLES.terms} t WHERE ${where}`, params);
  });
  return [...rows.values()].map((row) => ({ ...row, event_count: counts.countOf(row.id) }));
}

/** Returns up to `count` terms with higher ids, by id. */
export async function findTermsAfter(
  sql: Sql,
  kind: TermKind,
  id: number,
  count: number,
  counting: TermCounting,
): Promise<TermRecord[]> {
  const rows = await sql.query<{ id: number }>(
    `SELECT t.id FROM ${TABLES.terms} t WHERE t.taxonomy = ? AND t.id > ? ORDER BY t.id LIMIT ?`,
    [kind.taxonomy, id, count],
  );
  const ids = rows.map((row) => row.id);
  const terms = await findTerms(sql, [kind], ids, counting);
  return ids.map((one) => terms.get(one)).filter((term) => term !== undefined);
}

/** Returns the term with an id, or throws a 404. */
export async function getTerm(sql: Sql, kind: TermKind, id: number, counting: TermCounting): Promise<TermRecord> {
  const term = (await findTerms(sql, [kind], [id], counting)).get(id);
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
  const count = publicEventsOf('t.id', nowUtc);
  const rows = await cachedQuery<TermRow>(
    sql,
    `SELECT ${COLUMNS}, ${count.sql} AS event_count FROM ${TABLES.terms} t WHERE ${where.sql}`,
    [...count.params, ...where.params],
  );
  return rows.map((row) => ({ ...row, event_count: Number(row.event_count) }));
}

/** Returns the term with its kind, or nothing if it has another kind. */
function ofKinds(kinds: readonly TermKind[], { taxonomy, ...row }: TermRow): TermRecord[] {
  return kinds.filter((kind) => kind.taxonomy === taxonomy).map((kind) => ({ ...row, kind }));
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
