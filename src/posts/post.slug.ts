import { isOneOf } from '../kernel/condition.js';
import { suffixedSlug, trashedSlug } from '../kernel/slug.js';
import type { Transaction } from '../database/transaction.js';

/** The first free one of `slug`, `slug-2`, `slug-3` … in a table; the record's own is free to it. */
export function reserveSlug(tx: Transaction, table: string, slug: string, ownId = 0): Promise<string> {
  return firstFree(tx, table, ownId, (n) => (n === 1 ? slug : suffixedSlug(slug, n)));
}

/** The slug of a record in the trash (contract section 4). */
export function reserveTrashedSlug(tx: Transaction, table: string, slug: string, ownId: number): Promise<string> {
  return firstFree(tx, table, ownId, (n) => trashedSlug(slug, n));
}

type Candidate = (n: number) => string;

/** Most names are free at once, and most that are not are so soon. */
const TRIED_IN_ORDER = [[1], range(2, 64)];
const TRIED_BY_POWERS = range(7, 30).map((exponent) => 2 ** exponent);

/**
 * Names that repeat by the thousand (a weekly course, an import) must not make each further one slower: behind the 64th
 * a free number is jumped to and the way back is halved, so that a gap among the taken ones may stay.
 */
async function firstFree(tx: Transaction, table: string, ownId: number, candidate: Candidate): Promise<string> {
  const free = async (numbers: readonly number[]) => {
    const taken = await takenOf(tx, table, ownId, numbers.map(candidate));
    return numbers.find((n) => !taken.has(candidate(n)));
  };
  for (const numbers of TRIED_IN_ORDER) {
    const found = await free(numbers);
    if (found !== undefined) return candidate(found);
  }
  let found = (await free(TRIED_BY_POWERS)) ?? 2 ** 31;
  for (let taken = found / 2; found - taken > 1;) {
    const middle = Math.floor((taken + found) / 2);
    if ((await free([middle])) === undefined) taken = middle;
    else found = middle;
  }
  return candidate(found);
}

async function takenOf(tx: Transaction, table: string, ownId: number, slugs: readonly string[]): Promise<Set<string>> {
  const { sql, params } = isOneOf('slug', slugs);
  const rows = await tx.query<{ slug: string }>(`SELECT slug FROM ${table} WHERE ${sql} AND id <> ?`, [
    ...params,
    ownId,
  ]);
  return new Set(rows.map(({ slug }) => slug));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
