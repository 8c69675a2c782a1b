import type { Transaction } from '../database/transaction.js';
import { isOneOf } from '../kernel/condition.js';
import { freeSlugs } from '../kernel/free-slugs.js';
import { suffixedSlug, trashedSlug } from '../kernel/slug.js';

/** The first free one of `slug`, `slug-2`, `slug-3` … in a table; the record's own is free to it. */
export async function reserveSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], suffixedSlug, takenBy(tx, table, ownId));
  return free;
}

/** The same for new records; no two get the same one. */
export function reserveSlugs(tx: Transaction, table: string, slugs: readonly string[]): Promise<readonly string[]> {
  return freeSlugs(slugs, suffixedSlug, takenBy(tx, table, 0));
}

/** The slug of a record in the trash (contract section 4). */
export async function reserveTrashedSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  const [free = slug] = await freeSlugs([slug], trashedSlug, takenBy(tx, table, ownId));
  return free;
}

function takenBy(tx: Transaction, table: string, ownId: number) {
  return async (slugs: readonly string[]): Promise<Set<string>> => {
    const { sql, params } = isOneOf('slug', slugs);
    const rows = await tx.query<{ slug: string }>(`SELECT slug FROM ${table} WHERE ${sql} AND id <> ?`, [
      ...params,
      ownId,
    ]);
    return new Set(rows.map(({ slug }) => slug));
  };
}
