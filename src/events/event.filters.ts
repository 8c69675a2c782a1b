import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Sql } from '../database/dialect.js';
import { mayRead } from '../kernel/visibility.js';
import type { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { findPost } from '../posts/post.store.js';
import { TagsService } from '../tags/tags.service.js';
import type { EventRow } from './event.entity.js';
import { readEventParams } from './event.reading.js';
import { type EventFilter } from './event.filter.js';
import { EVENT } from './event.kind.js';
import { EventLinked, LINKED_NAMES } from './event.linked.js';
import type { EventParams } from './event.params.js';
import { venuesNear, visibleVenue } from './event.places.js';

/** Makes a filter of list parameters: dates are read, references looked up, and what is wrong noted. */
@Injectable()
export class EventFilters {
  constructor(
    private readonly linked: EventLinked,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
  ) {}

  async read(sql: Sql, params: EventParams, problems: Problems, context: RequestContext): Promise<EventFilter & Links> {
    const { window, search } = readEventParams(params, problems, context);
    const categoryIds = await this.categories.terms.filterIds(sql, params.categories, 'categories', problems);
    const tagIds = await this.tags.terms.filterIds(sql, params.tags, 'tags', problems);
    for (const name of LINKED_NAMES) {
      await this.linked.links[name].checkFilter(sql, params[name], name, context, problems);
    }
    await this.checkParent(sql, params, problems, context);
    const nearVenueIds = problems.isEmpty ? await venuesNear(sql, params, context) : undefined;
    return {
      params,
      start: window.start,
      end: window.end,
      effectiveDates: window.effective,
      visibleVenue: visibleVenue('v', context),
      search,
      categoryIds,
      tagIds,
      nearVenueIds,
    };
  }

  private async checkParent(
    sql: Sql,
    { post_parent: id }: EventParams,
    problems: Problems,
    { caller, nowUtc }: RequestContext,
  ) {
    if (id === undefined || id === 0) return;
    const parent = await findPost<EventRow>(sql, EVENT, { id });
    if (parent !== undefined && mayRead(parent, caller, nowUtc)) return;
    problems.addUnknown('post_parent', [id]);
  }
}

interface Links {
  /** The dates that links show (contract 9.2). */
  readonly effectiveDates: Partial<Record<string, string>>;
}
