import { TABLES } from '../database/tables.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { ALWAYS, allOf, type Condition, condition, isOneOf, NEVER, not } from '../kernel/condition.js';
import { foldText } from '../kernel/fold.js';
import { lookupSlug } from '../kernel/slug.js';
import type { Problems } from '../platform/errors/problems.js';
import { countsOf, PUBLIC_EVENTS } from './term.counts.js';
import type { TermKind } from './term.kind.js';
import type { TermFilters } from './term.params.js';

/** The terms that a list asks for; the table's alias is `t`. */
export function termFilter(kind: TermKind, filters: TermFilters, nowUtc: UtcTime): Condition {
  const { search, exclude, include, hide_empty, parent, slug } = filters;
  return allOf([
    condition('t.taxonomy = ?', kind.taxonomy),
    given(search, (text) => condition('instr(t.search_text, ?) > 0', searched(text))),
    given(exclude, (ids) => not(isOneOf('t.id', ids))),
    given(include, (ids) => isOneOf('t.id', ids)),
    hide_empty === false ? ALWAYS : isUsed(kind, nowUtc),
    given(parent, (id) => condition('t.parent = ?', id)),
    given(slug, hasSlug),
  ]);
}

/** Refuses a search that is empty when folded, or too long (contract 2.2 and section 3). */
export function checkSearch({ search }: TermFilters, problems: Problems): void {
  if (search === undefined || problems.has('search')) return;
  const words = searched(search);
  if (words === '') problems.add('search', 'rest_empty', 'must not be empty.');
  if (words.split(/\s+/).length > 20) problems.add('search', 'rest_too_long', 'must not have more than 20 words.');
}

/** contract TERM-03: a parent with a used child counts as used. */
function isUsed(kind: TermKind, nowUtc: UtcTime): Condition {
  const counts = countsOf('u', nowUtc);
  return condition(
    `t.id IN (WITH RECURSIVE used_terms (id, parent) AS (
      SELECT u.id, u.parent FROM ${TABLES.terms} u ${counts.sql} WHERE u.taxonomy = ? AND ${PUBLIC_EVENTS} > 0
      UNION SELECT p.id, p.parent FROM ${TABLES.terms} p JOIN used_terms c ON p.id = c.parent
    ) SELECT id FROM used_terms)`,
    ...counts.params,
    kind.taxonomy,
  );
}

function searched(text: string): string {
  return foldText(text).trim();
}

/** MySQL disregards blanks at the end, and no slug has any. */
function hasSlug(text: string): Condition {
  const slug = lookupSlug(text);
  return slug.endsWith(' ') ? NEVER : condition('t.slug = ?', slug);
}

function given<Value>(value: Value | undefined, filter: (value: Value) => Condition): Condition {
  return value === undefined ? ALWAYS : filter(value);
}
