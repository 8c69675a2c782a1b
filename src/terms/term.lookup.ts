import type { Sql } from '../database/sql/dialect.js';
import { type LookupQuery, batchedLookup } from '../database/sql/batched-lookup.js';
import { TABLES } from '../database/sql/tables.js';
import { allOf, anyOf, condition, isOneOf } from '../kernel/sql-condition.js';
import { nameKey } from '../kernel/text/case-folding.js';
import { idOf, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';

/** What a term is found by. */
export interface FoundTerm {
  readonly id: number;
  readonly slug: string;
  readonly name_key: string;
}

/** Which terms a request's items name. Digits are an id if there is such a term (contract EV-LIST-25). */
export class TermLookup {
  private readonly ids = new Set<number>();
  private readonly slugs = new Map<string, number>();
  private readonly names = new Map<string, number>();

  /** `terms`: highest id first, so that of a name the lowest id stays. */
  constructor(terms: readonly FoundTerm[]) {
    for (const term of terms) this.add(term);
  }

  /** Adds a term that no item meant so far. */
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

  /** An id, else a slug, else a name. */
  anything(item: TermItem): number | undefined {
    return this.idOrSlug(item) ?? (typeof item === 'string' ? this.names.get(nameKey(item)) : undefined);
  }
}

/** Whatever the items may mean, in one statement for many. */
export async function findMeanings(sql: Sql, kind: TermKind, items: readonly TermItem[]): Promise<TermLookup> {
  return meaningsIn(await batchedLookup(sql, termLookupQueries(kind, items)));
}

/** What finds all terms that the items may mean. Slugs and names are looked up in one and the same form. */
export function termLookupQueries({ taxonomy }: TermKind, items: readonly TermItem[]): LookupQuery[] {
  const distinct = [...new Set(items)];
  const parts = Array.from({ length: Math.ceil(distinct.length / ITEMS_A_LOOK_UP) }, (_, part) =>
    distinct.slice(part * ITEMS_A_LOOK_UP, (part + 1) * ITEMS_A_LOOK_UP),
  );
  return parts.map((part) => {
    const texts = part.filter((item) => typeof item === 'string').map(nameKey);
    const ids = part.map(idOf).filter((id) => id !== undefined);
    const meant = anyOf([isOneOf('id', ids), isOneOf('slug', texts), isOneOf('name_key', texts)]);
    const { sql, params } = allOf([condition('taxonomy = ?', taxonomy), meant]);
    return {
      numbers: ['id'],
      texts: ['slug', 'name_key'],
      from: condition(`${TABLES.terms} WHERE ${sql}`, ...params),
    };
  });
}

/** The meanings of what these look-ups found. */
export function meaningsIn(found: readonly (readonly object[])[]): TermLookup {
  return new TermLookup((found.flat() as FoundTerm[]).sort((a, b) => b.id - a.id));
}

/** Few enough for the number of parameters that a statement may have. */
const ITEMS_A_LOOK_UP = 5000;
