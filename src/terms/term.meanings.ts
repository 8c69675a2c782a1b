import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import { allOf, anyOf, condition, isOneOf } from '../kernel/condition.js';
import { nameKey } from '../kernel/fold.js';
import { idOf, type TermItem } from './term.items.js';
import type { TermKind } from './term.kind.js';

interface FoundTerm {
  readonly id: number;
  readonly slug: string;
  readonly name_key: string;
}

/** Which terms a request's items name. Digits are an id if there is such a term (contract EV-LIST-25). */
export class TermMeanings {
  private readonly ids: ReadonlySet<number>;
  private readonly slugs: ReadonlyMap<string, number>;
  private readonly names: ReadonlyMap<string, number>;

  /** `terms`: highest id first, so that of a name the lowest id stays. */
  constructor(terms: readonly FoundTerm[]) {
    this.ids = new Set(terms.map(({ id }) => id));
    this.slugs = new Map(terms.map(({ id, slug }) => [slug, id]));
    this.names = new Map(terms.map(({ id, name_key }) => [name_key, id]));
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

/** Whatever the items may mean: one statement. Slugs and names are looked up in one and the same form. */
export async function findMeanings(sql: Sql, kind: TermKind, items: readonly TermItem[]): Promise<TermMeanings> {
  if (items.length === 0) return new TermMeanings([]);
  const texts = items.filter((item) => typeof item === 'string').map(nameKey);
  const ids = items.map(idOf).filter((id) => id !== undefined);
  const meant = anyOf([isOneOf('id', ids), isOneOf('slug', texts), isOneOf('name_key', texts)]);
  const where = allOf([condition('taxonomy = ?', kind.taxonomy), meant]);
  return new TermMeanings(
    await sql.query<FoundTerm>(
      `SELECT id, slug, name_key FROM ${TABLES.terms} WHERE ${where.sql} ORDER BY id DESC`,
      where.params,
    ),
  );
}
