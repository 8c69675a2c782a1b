import { Injectable } from '@nestjs/common';
import { cachedQuery, cacheMoment, type ReadCache } from '../../database/cache/read-cache.js';
import { Database } from '../../database/database.js';
import { INDEXES, TABLES } from '../../database/sql/tables.js';
import { allOf, anyOf, condition, type SqlCondition } from '../../kernel/sql-condition.js';
import type { WallTime } from '../../kernel/time/calendar-time.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { listed } from '../../posts/post.access.js';
import type { EventReadRow } from '../event.query.js';
import type { CalendarExtent, EventNeighbour, EventNeighbours } from '../event.response.js';

type Place = Pick<EventReadRow, 'id' | 'start_utc'>;
interface Edge {
  readonly start_local: WallTime;
}

/** Looks at the calendar as a whole: where it begins and ends, and which events stand beside each other in a list. */
@Injectable()
export class EventOverview {
  constructor(private readonly database: Database) {}

  /** Returns the start of the first and of the last public event that is not hidden, or undefined without one. */
  async extent(sql: ReadCache, context: RequestContext): Promise<CalendarExtent | undefined> {
    const [first] = await this.nearest<Edge>(sql, 'e.start_local', [], 'ASC', context);
    if (first === undefined) return undefined;
    const [last] = await this.nearest<Edge>(sql, 'e.start_local', [], 'DESC', context);
    return { firstLocal: first.start_local, lastLocal: (last ?? first).start_local };
  }

  /** Returns the events before and after one in the order of the list. */
  async neighbours(sql: ReadCache, { id, start_utc }: Place, context: RequestContext): Promise<EventNeighbours> {
    const beside = (op: '<' | '>', order: 'ASC' | 'DESC') => {
      const sameStart = allOf([condition('e.start_utc = ?', start_utc), condition(`e.id ${op} ?`, id)]);
      // The first condition lets every engine begin at the right place of the index.
      const where = [
        condition(`e.start_utc ${op}= ?`, start_utc),
        anyOf([condition(`e.start_utc ${op} ?`, start_utc), sameStart]),
      ];
      return this.nearest<EventNeighbour>(sql, 'e.slug, e.title', where, order, context);
    };
    const [[earlier], [later]] = [await beside('<', 'DESC'), await beside('>', 'ASC')];
    return { earlier, later };
  }

  /** Returns whether any event has this one as its parent, shown or not: most have none, and need no list of them. */
  async hasChildren(sql: ReadCache, { id }: Place): Promise<boolean> {
    const query = `SELECT e.id FROM ${TABLES.events} e WHERE e.post_parent = ? LIMIT 1`;
    return (await cachedQuery<object>(sql, query, [id])).length > 0;
  }

  private nearest<Row extends object>(
    sql: ReadCache,
    columns: string,
    where: readonly SqlCondition[],
    order: 'ASC' | 'DESC',
    context: RequestContext,
  ): Promise<readonly Row[]> {
    const cached = { ...context, nowUtc: cacheMoment(sql, context.nowUtc) };
    const all = allOf([condition('e.hide_from_listings = ?', 0), ...where, listed('e', ['publish'], cached)]);
    const hint = this.database.dialect.byIndex(INDEXES.eventList);
    return cachedQuery<Row>(
      sql,
      `SELECT ${columns} FROM ${TABLES.events} e${hint} WHERE ${all.sql} ORDER BY e.start_utc ${order}, e.id ${order} LIMIT 1`,
      all.params,
    );
  }
}
