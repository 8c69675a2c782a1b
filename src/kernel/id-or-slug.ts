import { type SqlCondition, condition, NEVER } from './sql-condition.js';

/** How a request names a record: by its id, or by its slug. */
export type IdOrSlug = { readonly id: number } | { readonly slug: string };

export function byId(id: number): IdOrSlug {
  return { id };
}

export function bySlug(slug: string): IdOrSlug {
  return { slug };
}

/** The row of an address. `alias`: with its dot, where the table has one. */
export function addressed(address: IdOrSlug, alias = ''): SqlCondition {
  if ('id' in address) return condition(`${alias}id = ?`, address.id);
  // Some servers compare texts without the blanks at their end; no slug ends with one.
  return address.slug.endsWith(' ') ? NEVER : condition(`${alias}slug = ?`, address.slug);
}
