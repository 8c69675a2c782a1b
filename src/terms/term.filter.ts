import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import type { Problems } from '../errors/problems.js';
import { allOf, ALWAYS, type SqlCondition, condition, isOneOf, NEVER, not } from '../kernel/sql-condition.js';
import { foldText } from '../kernel/text/case-folding.js';
import { lookupSlug } from '../kernel/text/slug.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { filterByEvent } from '../posts/post.event-filter.js';
import type { TermFilters } from './term.dto.js';
import type { TermKind } from './term.kind.js';

/** Returns the condition of a list, without `hide_empty`. The table's alias is `t`. */
export function termFilter(kind: TermKind, filters: TermFilters): SqlCondition {
  const { search, exclude, include, parent, slug } = filters;
  return allOf([
    condition('t.taxonomy = ?', kind.taxonomy),
    given(search, (text) => condition('instr(t.search_text, ?) > 0', searched(text))),
    given(exclude, (ids) => not(isOneOf('t.id', ids))),
    given(include, (ids) => isOneOf('t.id', ids)),
    given(parent, (id) => condition('t.parent = ?', id)),
    given(slug, hasSlug),
  ]);
}

/** Reports a search that is empty after folding, or too long (contract 2.2 and section 3). */
export function checkSearch({ search }: TermFilters, problems: Problems): void {
  if (search === undefined || problems.has('search')) return;
  const words = searched(search);
  if (words === '') problems.add('search', 'rest_empty', 'must not be empty.');
  if (words.split(/\s+/).length > 20) problems.add('search', 'rest_too_long', 'must not have more than 20 words.');
}

function searched(text: string): string {
  return foldText(text).trim();
}

/** No slug ends with a space, but MySQL ignores trailing spaces when it compares. */
function hasSlug(text: string): SqlCondition {
  const slug = lookupSlug(text);
  return slug.endsWith(' ') ? NEVER : condition('t.slug = ?', slug);
}

function given<Value>(value: Value | undefined, filter: (value: Value) => SqlCondition): SqlCondition {
  return value === undefined ? ALWAYS : filter(value);
}

/** Reports ids without a term of the kind. `given` has the ids by parameter name. Sends one statement for all. */
export async function checkTermIds(
  sql: Sql,
  { taxonomy }: TermKind,
  given: Record<string, readonly number[]>,
  problems: Problems,
): Promise<void> {
  const names = Object.keys(given).filter((name) => !problems.has(name));
  const ids = new Set(names.flatMap((name) => given[name] ?? []));
  if (ids.size === 0) return;
  const where = allOf([condition('taxonomy = ?', taxonomy), isOneOf('id', [...ids])]);
  const rows = await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.terms} WHERE ${where.sql}`, where.params);
  const known = new Set(rows.map(({ id }) => id));
  for (const name of names) problems.addUnknown(name, given[name]?.filter((id) => !known.has(id)) ?? []);
}

/** Returns the condition for terms of the event in `event`, or else in `post`. */
export function termsOfEvent(
  sql: Sql,
  { event, post }: TermFilters,
  context: RequestContext,
  problems: Problems,
): Promise<SqlCondition> {
  const given = event === undefined ? { name: 'post', id: post } : { name: 'event', id: event };
  const linkedTo = (id: number) =>
    condition(`t.id IN (SELECT term_id FROM ${TABLES.eventTerms} WHERE event_id = ?)`, id);
  return filterByEvent(sql, { ...given, linkedTo }, context, problems);
}
