import type { Sql } from '../database/sql/dialect.js';
import type { LookupQuery } from '../database/sql/batched-lookup.js';
import { cachedOfTable } from '../database/cache/read-cache.js';
import type { Transaction } from '../database/connection/transaction.js';
import { TABLES } from '../database/sql/tables.js';
import { can } from '../kernel/caller.js';
import { nameKey } from '../kernel/text/case-folding.js';
import { Problems } from '../errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { looksLikeId, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';
import { findTermLookup, termLookupQueries, termLookupOf, type TermLookup } from './term.lookup.js';
import { insertTerm } from './term.store.js';
import { findBranches } from './term.query.js';
import { lockNameOf } from './term.uniqueness.js';

/** The result of checking an event's field: ids of existing terms, and names of terms to create. */
export interface TermPlan {
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

/** The terms that the items of a filter name. */
interface ResolvedItems {
  /** Their ids, descendants included. */
  readonly ids: readonly number[];
  readonly unknown: readonly TermItem[];
}

/** The filters and links of events by terms of one kind. */
export class TermLinks {
  constructor(private readonly kind: TermKind) {}

  /** Returns the ids for a filter by ids and slugs, descendants included (contract EV-LIST-24, EV-LIST-25). */
  async filterIds(
    sql: Sql,
    items: readonly TermItem[] | undefined,
    name: string,
    problems: Problems,
  ): Promise<readonly number[] | undefined> {
    if (items === undefined || problems.has(name)) return undefined;
    const key = `${this.kind.taxonomy} ${JSON.stringify(items)}`;
    const { ids, unknown } = await cachedOfTable(sql, TABLES.terms, key, (database) => this.resolve(database, items));
    problems.addUnknown(name, unknown);
    return ids;
  }

  private async resolve(sql: Sql, items: readonly TermItem[]): Promise<ResolvedItems> {
    const lookup = await findTermLookup(sql, this.kind, items);
    const found = items.map((item) => lookup.idOrSlug(item));
    const ids = distinct(found);
    const branches = this.kind.hasChildren && ids.length > 0 ? await findBranches(sql, ids) : ids;
    return { ids: branches, unknown: itemsNotFound(items, found) };
  }

  /** Returns the queries that `check` needs for the items of several writes. `lookupOf` takes their rows. */
  lookupQueries(items: readonly TermItem[]): LookupQuery[] {
    return termLookupQueries(this.kind, items);
  }

  lookupOf(found: readonly (readonly object[])[]): TermLookup {
    return termLookupOf(found);
  }

  /** Checks a write before it begins. Reports unknown ids, and new terms that the caller may not create. */
  check(
    items: readonly TermItem[],
    lookup: TermLookup,
    name: string,
    { caller }: Pick<RequestContext, 'caller'>,
    problems: Problems,
  ): TermPlan {
    if (problems.has(name)) return { ids: [], names: [] };
    const found = items.map((item) => lookup.idSlugOrName(item));
    const missing = itemsNotFound(items, found);
    const names = missing.filter((item): item is string => !looksLikeId(item));
    problems.addUnknown(name, missing.filter(looksLikeId));
    if (names.length > 0 && !can(caller, this.kind.capability)) {
      problems.add(name, 'rest_not_allowed', 'has a value you are not allowed to use.');
    }
    return { ids: distinct(found), names: distinctNames(names) };
  }

  /** Returns the names that the transaction must lock for `store`. Only creating a term needs a lock. */
  names(plan: TermPlan | null | undefined): string[] {
    return plan && plan.names.length > 0 ? [lockNameOf(this.kind)] : [];
  }

  /**
   * Creates the missing terms under their locks and returns the ids for each plan. Uses a term that another request or an
   * earlier plan has created in the meantime.
   */
  async store(tx: Transaction, plans: readonly TermPlan[], context: RequestContext): Promise<number[][]> {
    const names = new Set(plans.flatMap((plan) => plan.names));
    const lookup = await findTermLookup(tx, this.kind, [...names]);
    for (const name of names) {
      if (lookup.idSlugOrName(name) === undefined) lookup.add(await insertTerm(tx, this.kind, { name }, context));
    }
    return plans.map((plan) => distinct([...plan.ids, ...plan.names.map((name) => lookup.idSlugOrName(name))]));
  }
}

function itemsNotFound(items: readonly TermItem[], found: readonly (number | undefined)[]): TermItem[] {
  return items.filter((_, index) => found[index] === undefined);
}

function distinct(ids: readonly (number | undefined)[]): number[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** Returns the first of each group of names that differ in case only. */
function distinctNames(names: readonly string[]): string[] {
  const keys = names.map(nameKey);
  return names.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}
