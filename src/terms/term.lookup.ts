import type { Sql } from '../database/sql/dialect.js';
import type { LookupQuery } from '../database/sql/batched-lookup.js';
import { TABLES } from '../database/sql/tables.js';
import { allOf, anyOf, condition, isOneOf } from '../kernel/sql-condition.js';
import { nameKey } from '../kernel/text/case-folding.js';
import { idOf, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';

/** The columns by which items match a term. */
export interface FoundTerm {
  readonly id: number;
  readonly slug: string;
  readonly name_key: string;
}

/** Finds the terms that items of a request name. Digits are an id if a term with it exists (contract EV-LIST-25). */
export class TermLookup {
  private readonly ids = new Set<number>();
  private readonly slugs = new Map<string, number>();
  private readonly names = new Map<string, number>();

  /** `terms`: highest id first, so that the lowest id wins if terms have the same name. */
  constructor(terms: readonly FoundTerm[]) {
    for (const term of terms) this.add(term);
  }

  /** Adds a new term. */
  add({ id, slug, name_key }: FoundTerm): void {
    this.ids.add(id);
    this.slugs.set(slug, id);
    this.names.set(name_key, id);
  }

  idOrSlug(item: TermItem): number | undefined {
    const id = idOf(item);
    if (id !== undefined && this.ids.has(id)) return id;
    return typeof item === 'string' ? this.slugs.get(nameKey(item)) : undefined;
  }

  /** Matches an item as an id, else as a slug, else as a name. */
  idSlugOrName(item: TermItem): number | undefined {
    return this.idOrSlug(item) ?? (typeof item === 'string' ? this.names.get(nameKey(item)) : undefined);
  }
}

/** Returns the lookup for items. Sends few statements, each for many items. */
export async function findTermLookup(sql: Sql, kind: TermKind, items: readonly TermItem[]): Promise<TermLookup> {
  const found: FoundTerm[][] = [];
  for (const { from } of termLookupQueries(kind, items))
    found.push(await sql.query<FoundTerm>(`SELECT id, slug, name_key FROM ${from.sql}`, from.params));
  return termLookupOf(found);
}

/** Returns the queries for all terms that the items may name. Slugs and names have the same form for comparing. */
export function termLookupQueries({ taxonomy }: TermKind, items: readonly TermItem[]): LookupQuery[] {
  const distinct = [...new Set(items)];
  const batches = Array.from({ length: Math.ceil(distinct.length / MAX_ITEMS_PER_QUERY) }, (_, batch) =>
    distinct.slice(batch * MAX_ITEMS_PER_QUERY, (batch + 1) * MAX_ITEMS_PER_QUERY),
  );
  return batches.map((batch) => {
    const texts = batch.filter((item) => typeof item === 'string').map(nameKey);
    const ids = batch.map(idOf).filter((id) => id !== undefined);
    const matches = anyOf([isOneOf('id', ids), isOneOf('slug', texts), isOneOf('name_key', texts)]);
    const { sql, params } = allOf([condition('taxonomy = ?', taxonomy), matches]);
    return {
      numbers: ['id'],
      texts: ['slug', 'name_key'],
      from: condition(`${TABLES.terms} WHERE ${sql}`, ...params),
    };
  });
}

/** Returns the lookup for the rows that the queries found. */
export function termLookupOf(found: readonly (readonly object[])[]): TermLookup {
  return new TermLookup((found.flat() as FoundTerm[]).sort((a, b) => b.id - a.id));
}

/** Limits the number of parameters in a statement: up to three per item. */
const MAX_ITEMS_PER_QUERY = 5000;
