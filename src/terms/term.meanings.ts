import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { allOf, anyOf, condition, isOneOf } from '../kernel/condition.js';
import { nameKey } from '../kernel/fold.js';
import { idOf, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';

/** What a term is found by. */
export interface FoundTerm {
  readonly id: number;
  readonly slug: string;
  readonly name_key: string;
}

/** Which terms a request's items name. Digits are an id if there is such a term (contract EV-LIST-25). */
export class TermMeanings {
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

/** Whatever the items may mean, in one statement for many. Slugs and names are looked up in one and the same form. */
export async function findMeanings(sql: Sql, kind: TermKind, items: readonly TermItem[]): Promise<TermMeanings> {
  const distinct = [...new Set(items)];
  const terms: FoundTerm[] = [];
  for (let first = 0; first < distinct.length; first += ITEMS_A_STATEMENT) {
    terms.push(...(await findTermsMeant(sql, kind, distinct.slice(first, first + ITEMS_A_STATEMENT))));
  }
  return new TermMeanings(terms.sort((a, b) => b.id - a.id));
}

/** Few enough for the number of parameters that a statement may have. */
const ITEMS_A_STATEMENT = 5000;

function findTermsMeant(sql: Sql, kind: TermKind, items: readonly TermItem[]): Promise<FoundTerm[]> {
  const texts = items.filter((item) => typeof item === 'string').map(nameKey);
  const ids = items.map(idOf).filter((id) => id !== undefined);
  const meant = anyOf([isOneOf('id', ids), isOneOf('slug', texts), isOneOf('name_key', texts)]);
  const where = allOf([condition('taxonomy = ?', kind.taxonomy), meant]);
  return sql.query<FoundTerm>(`SELECT id, slug, name_key FROM ${TABLES.terms} WHERE ${where.sql}`, where.params);
}
