import type { Driver } from '../database.js';
import { nowUtc } from '../now-utc.js';

interface Counted {
  readonly id: number;
  readonly parent: number;
  readonly is_category: number;
  n: number;
}

/**
 * How many public events each term has. Read once, at the start, and increased by the writes of this process only: the
 * ceiling sees no write of others here, so it does less work than Kalends.
 */
export class TermCounts {
  private constructor(private readonly terms: ReadonlyMap<number, Counted>) {}

  static async read(driver: Driver): Promise<TermCounts> {
    const rows = await driver.rows<Counted>(
      "SELECT t.id, t.parent, t.taxonomy = 'tribe_events_cat' AS is_category, count(e.id) AS n FROM terms t " +
        'LEFT JOIN event_terms l ON l.term_id = t.id LEFT JOIN events e ON e.id = l.event_id AND e.public_from <= ? ' +
        'GROUP BY t.id, t.parent, t.taxonomy',
      [nowUtc()],
    );
    return new TermCounts(new Map(rows.map((row) => [Number(row.id), { ...row, n: Number(row.n) }])));
  }

  of(id: number): number {
    return this.terms.get(id)?.n ?? 0;
  }

  /** Counts an event that this process has created. */
  add(ids: readonly number[]): void {
    for (const id of ids) this.terms.get(id)!.n += 1;
  }

  /** Returns the categories with public events, and their ancestors. */
  usedCategories(): number[] {
    const used = new Set<number>();
    for (const { id, is_category, n } of this.terms.values()) {
      if (Number(is_category) === 0 || n === 0) continue;
      for (let term = id; term !== 0 && !used.has(term); term = this.terms.get(term)?.parent ?? 0) used.add(term);
    }
    return [...used];
  }
}
