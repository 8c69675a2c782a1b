import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../categories/categories.service.js';
import type { Sql } from '../database/dialect.js';
import { TABLES } from '../database/tables.js';
import type { Transaction } from '../database/transaction.js';
import { can } from '../kernel/caller.js';
import type { LinkPlan } from '../linked-posts/linked-post.resolve.js';
import { Problems } from '../platform/errors/problems.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { ImagesService } from '../platform/images/images.service.js';
import { checkAuthor } from '../posts/post.author.js';
import { TagsService } from '../tags/tags.service.js';
import type { TermPlan } from '../terms/term.resolve.js';
import type { EventDto } from './event.dto.js';
import { type ByName, EventLinked, LINKED, LINKED_NAMES } from './event.linked.js';
import { checkParent } from './event.parent.js';

/** What a write links its event to: checked, not yet created. Undefined: not sent, nothing changes; null: nothing any more. */
export interface EventPlan extends Partial<ByName<LinkPlan | null>> {
  readonly categories?: TermPlan | null;
  readonly tags?: TermPlan | null;
}

/** The same with everything created: ids, in the order given. */
export interface EventLinkIds extends Partial<ByName<readonly number[]>> {
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
}

/** Looks up all that a write refers to, and creates what it brings along. */
@Injectable()
export class EventReferences {
  constructor(
    private readonly linked: EventLinked,
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
    const posts: Partial<ByName<LinkPlan | null>> = {};
    for (const name of LINKED_NAMES) {
      const items = dto[name];
      posts[name] = items && (await this.linked.links[name].check(sql, items, name, context, problems));
    }
    // Ids and names are looked up for those who may write only: nobody else learns which exist (contract section 6).
    if (!can(context.caller, 'edit_posts')) return {};
    await checkAuthor(sql, dto, problems);
    await this.images.check(sql, dto.image, context.caller, problems, 'image');
    await checkParent(sql, dto, mode, context, problems);
    const categories =
      dto.categories && (await this.categories.terms.check(sql, dto.categories, 'categories', context, problems));
    const tags = dto.tags && (await this.tags.terms.check(sql, dto.tags, 'tags', context, problems));
    return { ...posts, categories, tags };
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
        name === 'categories' || name === 'tags' ? TABLES.terms : LINKED[name].kind.table,
        plans.flatMap((plan) => idsIn(plan[name])),
      );
      problems.addUnknown(name, gone);
    }
    problems.throwIfAny();
  }

  /** Creates or finds what the plan names, under its lock; null unlinks all (contract 10.5). */
  async store(
    tx: Transaction,
    { categories, tags, ...posts }: EventPlan,
    context: RequestContext,
  ): Promise<EventLinkIds> {
    const stored: Partial<ByName<readonly number[]>> = {};
    for (const name of LINKED_NAMES) {
      const plan = posts[name];
      stored[name] = plan === null ? [] : plan && (await this.linked.links[name].store(tx, plan, context));
    }
    return {
      ...stored,
      categories: categories === null ? [] : categories && (await this.categories.terms.store(tx, categories, context)),
      tags: tags === null ? [] : tags && (await this.tags.terms.store(tx, tags, context)),
    };
  }

  /** Those of the ids that the caller sees with an event. */
  async visible(sql: Sql, ids: ByName<readonly number[]>, context: RequestContext): Promise<ByName<readonly number[]>> {
    const seen = { ...ids };
    for (const name of LINKED_NAMES) {
      const records = await this.linked.links[name].findVisible(sql, ids[name], context);
      seen[name] = ids[name].filter((id) => records.has(id));
    }
    return seen;
  }

  private namesOf({ categories, tags, ...posts }: EventPlan): string[] {
    return [
      ...LINKED_NAMES.flatMap((name) => this.linked.links[name].names(posts[name] ?? [])),
      ...this.categories.terms.names(categories),
      ...this.tags.terms.names(tags),
    ];
  }
}

const LINK_NAMES = ['categories', 'tags', ...LINKED_NAMES] as const;

function idsIn(plan: LinkPlan | TermPlan | null | undefined): readonly number[] {
  if (!plan) return [];
  return 'ids' in plan ? plan.ids : plan.filter((entry) => typeof entry === 'number');
}
