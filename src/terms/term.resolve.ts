import type { Sql } from '../database/dialect.js';
import type { Transaction } from '../database/transaction.js';
import { can } from '../kernel/caller.js';
import { nameKey } from '../kernel/fold.js';
import { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { idOf, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';
import { findMeanings } from './term.meanings.js';
import { insertTerm } from './term.store.js';
import { findBranches } from './term.tree.js';
import { lockOf } from './term.uniqueness.js';

/** What the items of an event's field come to: terms that exist, and names of those to create. */
export interface TermPlan {
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

/** What events do with the terms of a kind: filter by them, and carry them. */
export class TermLinks {
  constructor(private readonly kind: TermKind) {}

  /** The ids that a filter by ids and slugs means, those of descendants included (contract EV-LIST-24, EV-LIST-25). */
  async filterIds(
    sql: Sql,
    items: readonly TermItem[] | undefined,
    name: string,
    problems: Problems,
  ): Promise<number[] | undefined> {
    if (items === undefined || problems.has(name)) return undefined;
    const meanings = await findMeanings(sql, this.kind, items);
    const found = items.map((item) => meanings.idOrSlug(item));
    problems.addUnknown(name, without(items, found));
    const ids = distinct(found);
    return this.kind.hasChildren && ids.length > 0 ? findBranches(sql, ids) : ids;
  }

  /** The check of a write, before it begins: finds the terms, reports what is unknown or may not be created. */
  async check(
    sql: Sql,
    items: readonly TermItem[],
    name: string,
    { caller }: Pick<RequestContext, 'caller'>,
    problems: Problems,
  ): Promise<TermPlan> {
    if (problems.has(name)) return { ids: [], names: [] };
    const meanings = await findMeanings(sql, this.kind, items);
    const found = items.map((item) => meanings.anything(item));
    const missing = without(items, found);
    const names = missing.filter((item) => typeof item === 'string' && idOf(item) === undefined) as string[];
    problems.addUnknown(
      name,
      missing.filter((item) => idOf(item) !== undefined),
    );
    if (names.length > 0 && !can(caller, this.kind.capability)) {
      problems.add(name, 'rest_not_allowed', 'has a value you are not allowed to use.');
    }
    return { ids: distinct(found), names: distinctNames(names) };
  }

  /** The locks that `store` needs the transaction to hold: only creating takes one. */
  names(plan: TermPlan | null | undefined): string[] {
    return plan && plan.names.length > 0 ? [lockOf(this.kind)] : [];
  }

  /**
   * The write itself, under its locks: creates the missing terms and answers the ids of all. A name that another request
   * has created meanwhile is that term.
   */
  async store(tx: Transaction, { ids, names }: TermPlan, context: RequestContext): Promise<number[]> {
    const created: number[] = [];
    for (const name of names) {
      const meanings = await findMeanings(tx, this.kind, [name]);
      created.push(meanings.anything(name) ?? (await insertTerm(tx, this.kind, { name }, context)));
    }
    return [...new Set([...ids, ...created])];
  }
}

function without(items: readonly TermItem[], found: readonly (number | undefined)[]): TermItem[] {
  return items.filter((_, index) => found[index] === undefined);
}

function distinct(ids: readonly (number | undefined)[]): number[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Of names that differ in case only, the first. */
function distinctNames(names: readonly string[]): string[] {
  const keys = names.map(nameKey);
  return names.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}
