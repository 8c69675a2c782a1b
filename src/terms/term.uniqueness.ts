import { TABLES } from '../database/sql/tables.js';
import type { Transaction } from '../database/connection/transaction.js';
import { isOneOf } from '../kernel/sql-condition.js';
import { nameKey } from '../kernel/text/case-folding.js';
import { freeSlugs, suffixedSlug } from '../kernel/text/slug.js';
import { apiError } from '../errors/api-error.js';
import type { TermKind } from './term.kind.js';

/** Locks the terms of a kind until the commit, so that no other transaction creates the same name or slug. */
export function lockTerms(tx: Transaction, kind: TermKind): Promise<void> {
  return tx.lockName(lockNameOf(kind));
}

export function lockNameOf(kind: TermKind): string {
  return `terms ${kind.taxonomy}`;
}

/** contract TERM-13: names under one parent are unique, case-insensitively. All tags have the parent 0. */
export async function mustBeNewName(
  tx: Transaction,
  kind: TermKind,
  name: string,
  parent: number,
  ownId = 0,
): Promise<void> {
  const [other] = await tx.query<{ id: number }>(
    `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ? AND name_key = ? AND parent = ? AND id <> ? ORDER BY id LIMIT 1`,
    [kind.taxonomy, nameKey(name), parent, ownId],
  );
  if (other === undefined) return;
  throw apiError('term_exists', {
    params: { where: kind.namesakes },
    data: { term_id: other.id },
    more: { additional_data: [other.id] },
  });
}

/** Throws if another term has a sent slug (contract TERM-14). */
export async function mustBeNewSlug(tx: Transaction, kind: TermKind, slug: string, ownId: number): Promise<void> {
  const [other] = await tx.query<{ id: number }>(
    `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ? AND slug = ? AND id <> ?`,
    [kind.taxonomy, slug, ownId],
  );
  if (other !== undefined) throw apiError('duplicate_term_slug', { params: { slug }, data: { term_id: other.id } });
}

/** Returns the first of `slug`, `slug-2`, `slug-3` … that no other term has. */
export async function freeSlug(tx: Transaction, kind: TermKind, slug: string, ownId = 0): Promise<string> {
  const [free = slug] = await freeSlugs([slug], suffixedSlug, async (slugs) => {
    const { sql, params } = isOneOf('slug', slugs);
    const rows = await tx.query<{ slug: string }>(
      `SELECT slug FROM ${TABLES.terms} WHERE taxonomy = ? AND id <> ? AND ${sql}`,
      [kind.taxonomy, ownId, ...params],
    );
    return new Set(rows.map((row) => row.slug));
  });
  return free;
}
