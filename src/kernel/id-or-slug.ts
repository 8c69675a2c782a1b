import { type SqlCondition, condition, NEVER } from './sql-condition.js';

/** The id or the slug by which a request names a record. */
export type IdOrSlug = { readonly id: number } | { readonly slug: string };

export function byId(id: number): IdOrSlug {
  return { id };
}

export function bySlug(slug: string): IdOrSlug {
  return { slug };
}

/** Returns the condition for the row. `alias` is the table's alias with its dot, `p.`. */
export function whereIdOrSlug(idOrSlug: IdOrSlug, alias = ''): SqlCondition {
  if ('id' in idOrSlug) return condition(`${alias}id = ?`, idOrSlug.id);
  // No slug ends with a space, but some servers ignore trailing spaces when they compare.
  return idOrSlug.slug.endsWith(' ') ? NEVER : condition(`${alias}slug = ?`, idOrSlug.slug);
}
