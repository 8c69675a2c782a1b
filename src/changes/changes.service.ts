import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Readership } from '../database/cache/recent-changes.js';
import { Database } from '../database/database.js';
import { EventsService } from '../events/events.service.js';
import { type Caller, can } from '../kernel/caller.js';
import type { Capability } from '../kernel/capability.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import type { Input } from '../platform/http/fields/input.js';
import type { Reply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { filtersOf } from '../platform/http/responses/collection-reply.js';
import { TagsService } from '../tags/tags.service.js';
import { VenuesService } from '../venues/venues.service.js';
import { CHANGE_FILTERS, type ChangeParams, readSince, sizeOf, typesOf } from './change.params.js';
import { digestOf } from '../database/cache/change-token.js';
import { type ChangeAnswer, type ChangeQuery, ChangesReader } from './changes.reader.js';
import { changesReply, type Waited } from './changes.reply.js';
import { ChangeWaiters } from './changes.wait.js';

/** The rights that decide which records a list shows (`kernel/visibility.ts`). */
const RIGHTS_OF_LISTS: readonly Capability[] = ['edit_posts', 'publish_posts', 'edit_others_posts'];

/** Tells programs that keep a copy what has changed. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly events: EventsService,
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly reader: ChangesReader,
    private readonly waiters: ChangeWaiters,
  ) {}

  async list(
    { dto, problems }: Input<ChangeParams>,
    context: RequestContext,
    disconnected: AbortSignal,
  ): Promise<Reply> {
    const since = readSince(dto, problems);
    const filters = Object.fromEntries(CHANGE_FILTERS.map((name) => [name, dto[name]]));
    const events = await this.events.shown(filters, problems, context);
    problems.throwIfAny();
    const { caller, urls } = context;
    const types = typesOf(dto);
    const readership = readershipOf(caller);
    const size = sizeOf(dto, context.site.maxPerPage);
    const rights = RIGHTS_OF_LISTS.filter((capability) => can(caller, capability));
    const digest = digestOf([types, filtersOf(dto, CHANGE_FILTERS), rights, readership]);
    const withRecords = dto.records !== false;
    const query: ChangeQuery = {
      types,
      size,
      readership,
      digest,
      withRecords,
      key: [digest, size, withRecords, caller.userId, urls.apiRoot, urls.site].join(' '),
      sourcesAt: (nowUtc) => {
        const now = { ...context, nowUtc };
        return {
          event: events(now),
          venue: this.venues.shown(now),
          organizer: this.organizers.shown(now),
          category: this.categories.shown(now),
          tag: this.tags.shown(now),
        };
      },
    };
    const first = await this.reader.read(query, since);
    const { answer, waited } = await this.waitFor(first, query, (dto.wait ?? 0) * 1000, context, disconnected);
    return changesReply(answer, dto, waited, context);
  }

  /** Waits while there is no change, for this time at most. */
  private async waitFor(
    first: ChangeAnswer,
    query: ChangeQuery,
    milliseconds: number,
    { clientAddress }: RequestContext,
    disconnected: AbortSignal,
  ): Promise<{ answer: ChangeAnswer; waited: Waited }> {
    if (milliseconds === 0) return { answer: first, waited: 'no' };
    const end = performance.now() + milliseconds;
    let answer = first;
    while (isEmpty(answer) && performance.now() < end) {
      const watch = { seen: answer.state, readership: query.readership, types: query.types };
      const options = { milliseconds: end - performance.now(), clientAddress, disconnected };
      const outcome = await this.waiters.wait(watch, options);
      if (outcome === 'refused') return { answer, waited: 'refused' };
      if (outcome === 'timeout') break;
      const token = answer.next;
      // The time of waiting does not count towards the deadline of the request (changes rule 9).
      answer = await this.database.withDeadlineFor('read', () => this.reader.readOn(query, token));
    }
    return { answer, waited: 'yes' };
  }
}

function isEmpty({ changes, hasMore }: ChangeAnswer): boolean {
  return changes.length === 0 && !hasMore;
}

/** Editors know of every change, authors and contributors of public ones and those of own records (changes rule 4). */
function readershipOf(caller: Caller): Readership {
  if (can(caller, 'edit_others_posts')) return 'all';
  return can(caller, 'edit_posts') ? { ownerId: caller.userId } : 'listed';
}
