import type { Sql } from '../database/sql/dialect.js';
import type { LookupQuery } from '../database/sql/batched-lookup.js';
import type { Transaction } from '../database/connection/transaction.js';
import { can } from '../kernel/caller.js';
import { nameKey } from '../kernel/text/case-folding.js';
import { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { hasFormOfId, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';
import { findMeanings, termLookupQueries, meaningsIn, type TermLookup } from './term.lookup.js';
import { insertTerm } from './term.store.js';
import { findBranches } from './term.query.js';
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

  /** What `check` needs to know of the items of several writes; `meaningsIn` reads what was found. */
  lookUps(items: readonly TermItem[]): LookupQuery[] {
    return termLookupQueries(this.kind, items);
  }

  meaningsIn(found: readonly (readonly object[])[]): TermLookup {
    return meaningsIn(found);
  }

  /** The check of a write, before it begins: reports what is unknown or may not be created. */
  check(
    items: readonly TermItem[],
    meanings: TermLookup,
    name: string,
    { caller }: Pick<RequestContext, 'caller'>,
    problems: Problems,
  ): TermPlan {
    if (problems.has(name)) return { ids: [], names: [] };
    const found = items.map((item) => meanings.anything(item));
    const missing = without(items, found);
    const names = missing.filter((item): item is string => !hasFormOfId(item));
    problems.addUnknown(name, missing.filter(hasFormOfId));
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
   * The writes themselves, under their locks: creates the missing terms and answers the ids of all for each plan. A name
   * that another request has created meanwhile, or a plan before, is that term.
   */
  async store(tx: Transaction, plans: readonly TermPlan[], context: RequestContext): Promise<number[][]> {
    const names = new Set(plans.flatMap((plan) => plan.names));
    const meanings = await findMeanings(tx, this.kind, [...names]);
    for (const name of names) {
      if (meanings.anything(name) === undefined) meanings.add(await insertTerm(tx, this.kind, { name }, context));
    }
    return plans.map((plan) => distinct([...plan.ids, ...plan.names.map((name) => meanings.anything(name))]));
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
