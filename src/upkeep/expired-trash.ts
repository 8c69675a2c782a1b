import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { TABLES } from '../database/sql/tables.js';
import { EventsService } from '../events/events.service.js';
import { type IdOrSlug, byId } from '../kernel/id-or-slug.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import { ApiError } from '../errors/api-error.js';
import { Problems } from '../errors/problems.js';
import type { Reply } from '../platform/http/reply.js';
import type { Input } from '../platform/http/fields/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { PostDeletion } from '../posts/post.dto.js';
import { VenuesService } from '../venues/venues.service.js';

type Remove = (idOrSlug: IdOrSlug, input: Input<PostDeletion>, context: RequestContext) => Promise<Reply>;
type Kind = 'events' | 'venues' | 'organizers';

const MAX_ROWS_PER_QUERY = 200;
const PAUSE_MS = 5;

/** Counts and deletes old records in the trash. */
@Injectable()
export class ExpiredTrash {
  private readonly removers: Record<Kind, Remove>;

  constructor(
    private readonly database: Database,
    events: EventsService,
    venues: VenuesService,
    organizers: OrganizersService,
  ) {
    this.removers = {
      events: (...request) => events.remove(...request),
      venues: (...request) => venues.remove(...request),
      organizers: (...request) => organizers.remove(...request),
    };
  }

  async count(kind: Kind, beforeUtc: UtcTime): Promise<number> {
    const [row] = await this.database.query<{ records: number }>(
      `SELECT count(*) AS records FROM ${TABLES[kind]} WHERE status = 'trash' AND modified_utc < ?`,
      [beforeUtc],
    );
    return Number(row?.records ?? 0);
  }

  /** Deletes the records permanently, one by one like DELETE with `force`, and returns their number. */
  async remove(kind: Kind, beforeUtc: UtcTime, context: RequestContext): Promise<number> {
    let removed = 0;
    for (let last = 0; ;) {
      const rows = await this.database.query<{ id: number; revision: number }>(
        `SELECT id, revision FROM ${TABLES[kind]} WHERE id > ? AND status = 'trash' AND modified_utc < ?
         ORDER BY id LIMIT ${MAX_ROWS_PER_QUERY}`,
        [last, beforeUtc],
      );
      if (rows.length === 0) return removed;
      for (const row of rows) {
        removed += await this.removeOne(kind, row, context);
        // Lets other writes run in between, because SQLite has a single writer.
        await sleep(PAUSE_MS);
      }
      last = (rows.at(-1) as { id: number }).id;
    }
  }

  /** Deletes a record unless it was restored, changed or deleted since the query, or a module rejects it. Returns 1 or 0. */
  private async removeOne(
    kind: Kind,
    { id, revision }: { id: number; revision: number },
    context: RequestContext,
  ): Promise<number> {
    const input = { dto: { force: true }, problems: new Problems([]) };
    try {
      await this.removers[kind](byId(id), input, { ...context, ifMatch: `"${revision}-"` });
      return 1;
    } catch (error) {
      if (error instanceof ApiError && error.getStatus() < 500) return 0;
      throw error;
    }
  }
}
