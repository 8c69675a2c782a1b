import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import type { Transaction } from '../database/transaction.js';
import { can } from '../kernel/caller.js';
import type { LinkPlan } from '../linked-posts/linked-post.resolve.js';
import { OrganizersService } from '../organizers/organizers.service.js';
import { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { ImagesService } from '../platform/images/images.service.js';
import { checkAuthor } from '../posts/post.author.js';
import { TagsService } from '../tags/tags.service.js';
import type { TermPlan } from '../terms/term.resolve.js';
import { VenuesService } from '../venues/venues.service.js';
import type { EventDto } from './event.dto.js';
import { checkParent } from './event.parent.js';

/** What a write links its event to: checked, not yet created. Undefined: not sent, nothing changes; null: nothing any more. */
export interface EventPlan {
  readonly venue?: LinkPlan | null;
  readonly organizer?: LinkPlan | null;
  readonly categories?: TermPlan | null;
  readonly tags?: TermPlan | null;
}

/** The same with everything created: ids, in the order given. */
export interface EventLinkIds {
  readonly venue?: readonly number[];
  readonly organizer?: readonly number[];
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
}

/** Looks up all that a write refers to, and creates what it brings along. */
@Injectable()
export class EventReferences {
  constructor(
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly images: ImagesService,
  ) {}

  /** Adds a problem for everything that cannot be used. */
  async check(
    sql: Sql,
    dto: EventDto,
    mode: 'create' | 'update',
    context: RequestContext,
    problems: Problems,
  ): Promise<EventPlan> {
    const venue = dto.venue && (await this.venues.links.check(sql, dto.venue, 'venue', context, problems));
    const organizer =
      dto.organizer && (await this.organizers.links.check(sql, dto.organizer, 'organizer', context, problems));
    // Ids and names are looked up for those who may write only: nobody else learns which exist (contract section 6).
    if (!can(context.caller, 'edit_posts')) return {};
    await checkAuthor(sql, dto, problems);
    await this.images.check(sql, dto.image, context.caller, problems, 'image');
    await checkParent(sql, dto, mode, context, problems);
    const categories =
      dto.categories && (await this.categories.terms.check(sql, dto.categories, 'categories', context, problems));
    const tags = dto.tags && (await this.tags.terms.check(sql, dto.tags, 'tags', context, problems));
    return { venue, organizer, categories, tags };
  }

  /**
   * Holds what a write relies on until its commit, in few statements for many events: the names of what will be created,
   * so that equal records that come at once are created once, and the records linked by id, so that none is deleted.
   */
  async lock(tx: Transaction, drafts: readonly { readonly plan: EventPlan }[]): Promise<void> {
    const plans = drafts.map(({ plan }) => plan);
    await tx.lockNames(plans.flatMap((plan) => this.namesOf(plan)));
    const problems = new Problems(LINK_NAMES);
    for (const name of LINK_NAMES) {
      const gone = await tx.hold(
        TABLE_OF[name],
        plans.flatMap((plan) => idsIn(plan[name])),
      );
      problems.addUnknown(name, gone);
    }
    problems.throwIfAny();
  }

  /** Creates or finds what the plan names, under its lock; null unlinks all (contract 10.5). */
  async store(
    tx: Transaction,
    { venue, organizer, categories, tags }: EventPlan,
    context: RequestContext,
  ): Promise<EventLinkIds> {
    return {
      venue: venue === null ? [] : venue && (await this.venues.links.store(tx, venue, context)),
      organizer: organizer === null ? [] : organizer && (await this.organizers.links.store(tx, organizer, context)),
      categories: categories === null ? [] : categories && (await this.categories.terms.store(tx, categories, context)),
      tags: tags === null ? [] : tags && (await this.tags.terms.store(tx, tags, context)),
    };
  }

  /** Those of the ids that the caller sees with an event. */
  async visible(sql: Sql, venueIds: readonly number[], organizerIds: readonly number[], context: RequestContext) {
    const venues = await this.venues.links.findVisible(sql, venueIds, context);
    const organizers = await this.organizers.links.findVisible(sql, organizerIds, context);
    return {
      venue: venueIds.filter((id) => venues.has(id)),
      organizer: organizerIds.filter((id) => organizers.has(id)),
    };
  }

  private namesOf({ venue, organizer, categories, tags }: EventPlan): string[] {
    return [
      ...this.venues.links.names(venue ?? []),
      ...this.organizers.links.names(organizer ?? []),
      ...this.categories.terms.names(categories),
      ...this.tags.terms.names(tags),
    ];
  }
}

const LINK_NAMES = ['categories', 'tags', 'venue', 'organizer'] as const;
const TABLE_OF = {
  categories: TABLES.terms,
  tags: TABLES.terms,
  venue: TABLES.venues,
  organizer: TABLES.organizers,
} as const;

function idsIn(plan: LinkPlan | TermPlan | null | undefined): readonly number[] {
  if (!plan) return [];
  return 'ids' in plan ? plan.ids : plan.filter((entry) => typeof entry === 'number');
}
