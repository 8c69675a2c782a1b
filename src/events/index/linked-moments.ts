import { type DatabaseState, readAtVersion } from '../../database/cache/read-at-version.js';
import type { Sql } from '../../database/sql/dialect.js';
import { condition } from '../../kernel/sql-condition.js';
import { END_OF_TIME, type UtcTime } from '../../kernel/time/calendar-time.js';
import { LINKED, LINKED_NAMES } from '../event.link-kinds.js';

/** When the next scheduled venue or organizer becomes public. Kept until one of them changes. */
export class LinkedMoments {
  /** No record becomes public between these times. */
  private known: { readonly from: UtcTime; readonly until: UtcTime } | undefined;
  private forgotten = 0;

  constructor(private readonly sql: Sql) {}

  /** Called when venues or organizers have changed. */
  forget(): void {
    this.known = undefined;
    this.forgotten += 1;
  }

  /** Returns the first time after `nowUtc`, from a state of the database that is not before `state`. */
  async after(nowUtc: UtcTime, { version }: DatabaseState): Promise<UtcTime> {
    const { known, forgotten } = this;
    if (known !== undefined && nowUtc >= known.from && nowUtc < known.until) return known.until;
    const times = await Promise.all(LINKED_NAMES.map((name) => this.next(LINKED[name].kind.table, nowUtc, version)));
    const until = times.reduce((first, time) => (time < first ? time : first), END_OF_TIME);
    // What was read before a change was taken over would stay for ever.
    if (forgotten === this.forgotten) this.known = { from: nowUtc, until };
    return until;
  }

  private async next(table: string, nowUtc: UtcTime, version: number): Promise<UtcTime> {
    const select = condition(
      `SELECT p.id, p.public_from FROM ${table} p WHERE p.public_from > ? ORDER BY p.public_from LIMIT 1`,
      nowUtc,
    );
    const { rows } = await readAtVersion<{ id: number; public_from: UtcTime }>(this.sql, version, select);
    return rows[0]?.public_from ?? END_OF_TIME;
  }
}
