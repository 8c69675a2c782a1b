import { Injectable } from '@nestjs/common';
import { CategoriesService } from '../../categories/categories.service.js';
import type { Sql } from '../../database/sql/dialect.js';
import { type LookUp, lookUp } from '../../database/sql/batched-lookup.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { can } from '../../kernel/caller.js';
import type { KnownPosts, LinkPlan } from '../../linked-posts/linked-post.resolve.js';
import { Problems } from '../../errors/problems.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { ImagesService } from '../../platform/images/images.service.js';
import { authorLookUps, authorsIn, checkAuthor } from '../../posts/post.author.js';
import { TagsService } from '../../tags/tags.service.js';
import type { TermLookup } from '../../terms/term.lookup.js';
import type { TermPlan } from '../../terms/term.resolve.js';
import type { EventDto } from '../event.dto.js';
import { byName, type ByName, EventLinkKinds, type EventLinkIds, LINKED_NAMES } from '../event.link-kinds.js';
import { checkParent } from './parent.js';

/** What a write links its event to: checked, not yet created. Undefined: not sent, nothing changes; null: nothing any more. */
export interface PlannedLinks extends Partial<ByName<LinkPlan | null>> {
  readonly categories?: TermPlan | null;
  readonly tags?: TermPlan | null;
}

/** What is there of all that writes refer to. */
export interface KnownReferences extends ByName<KnownPosts> {
  readonly categories: TermLookup;
  readonly tags: TermLookup;
  readonly authors: ReadonlySet<number>;
}

/** Looks up all that writes refer to, and creates what they bring along. */
@Injectable()
export class EventReferences {
  constructor(
    private readonly linked: EventLinkKinds,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly images: ImagesService,
  ) {}

  /** Looks up what writes refer to by id, slug or name: one statement, however many writes there are. */
  async find(sql: Sql, dtos: readonly EventDto[], context: RequestContext): Promise<KnownReferences> {
    // Ids and names are looked up for those who may write only: nobody else learns which exist (contract section 6).
    const sent = can(context.caller, 'edit_posts') ? dtos : [];
    const { linked, categories, tags } = this;
    const lookUps: Record<keyof KnownReferences, LookUp[]> = {
      ...byName((name) => linked.links[name].lookUps(sent.flatMap((dto) => dto[name] ?? []))),
      categories: categories.terms.lookUps(sent.flatMap((dto) => dto.categories ?? [])),
      tags: tags.terms.lookUps(sent.flatMap((dto) => dto.tags ?? [])),
      authors: authorLookUps(sent),
    };
    const all = Object.values(lookUps).flat();
    const answers = await lookUp(sql, all);
    const found = (name: keyof KnownReferences) => lookUps[name].map((one) => answers[all.indexOf(one)] ?? []);
    return {
      ...byName((name) => linked.links[name].knownIn(found(name), context)),
      categories: categories.terms.meaningsIn(found('categories')),
      tags: tags.terms.meaningsIn(found('tags')),
      authors: await authorsIn(sql, found('authors'), sent),
    };
  }

  /** Adds a problem for everything that cannot be used. */
  async check(
    sql: Sql,
    dto: EventDto,
    known: KnownReferences,
    mode: 'create' | 'update',
    context: RequestContext,
    problems: Problems,
  ): Promise<PlannedLinks> {
    const posts: Partial<ByName<LinkPlan | null>> = {};
    for (const name of LINKED_NAMES) {
      const items = dto[name];
      posts[name] = items && (await this.linked.links[name].check(sql, items, known[name], name, context, problems));
    }
    if (!can(context.caller, 'edit_posts')) return {};
    checkAuthor(dto, known.authors, problems);
    await this.images.check(sql, dto.image, context.caller, problems, 'image');
    await checkParent(sql, dto, mode, context, problems);
    return {
      ...posts,
      categories:
        dto.categories &&
        this.categories.terms.check(dto.categories, known.categories, 'categories', context, problems),
      tags: dto.tags && this.tags.terms.check(dto.tags, known.tags, 'tags', context, problems),
    };
  }

  /**
   * Holds what a write relies on until its commit, in few statements for many events: the names of what will be created,
   * so that equal records that come at once are created once, and the records linked by id, so that none is deleted.
   */
  async lock(tx: Transaction, drafts: readonly { readonly plan: PlannedLinks }[]): Promise<void> {
    const plans = drafts.map(({ plan }) => plan);
    await tx.lockNames(plans.flatMap((plan) => this.namesOf(plan)));
    const problems = new Problems(LINK_NAMES);
    const idsOf = (name: LinkName) => plans.flatMap((plan) => idsIn(plan[name]));
    const addUnknown = (name: LinkName, gone: readonly number[]) =>
      problems.addUnknown(
        name,
        idsOf(name).filter((id) => gone.includes(id)),
      );
    const goneTerms = await tx.hold(TABLES.terms, [...idsOf('categories'), ...idsOf('tags')]);
    for (const name of ['categories', 'tags'] as const) addUnknown(name, goneTerms);
    for (const name of LINKED_NAMES) addUnknown(name, await this.linked.links[name].hold(tx, idsOf(name)));
    problems.throwIfAny();
  }

  /** Creates or finds what the plans name, under their locks; null unlinks all (contract 10.5). */
  async store(tx: Transaction, plans: readonly PlannedLinks[], context: RequestContext): Promise<EventLinkIds[]> {
    const posts = byName((): number[][] => []);
    for (const name of LINKED_NAMES) {
      const sent = plans.map((plan) => plan[name] ?? []);
      posts[name] = await this.linked.links[name].store(tx, sent, context);
    }
    const terms = (name: 'categories' | 'tags') => plans.map((plan) => plan[name] ?? { ids: [], names: [] });
    const ids = {
      ...posts,
      categories: await this.categories.terms.store(tx, terms('categories'), context),
      tags: await this.tags.terms.store(tx, terms('tags'), context),
    };
    return plans.map((plan, index) => {
      const sent = LINK_NAMES.filter((name) => plan[name] !== undefined);
      return Object.fromEntries(sent.map((name) => [name, ids[name][index]]));
    });
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

  private namesOf({ categories, tags, ...posts }: PlannedLinks): string[] {
    return [
      ...LINKED_NAMES.flatMap((name) => this.linked.links[name].names(posts[name] ?? [])),
      ...this.categories.terms.names(categories),
      ...this.tags.terms.names(tags),
    ];
  }
}

const LINK_NAMES = ['categories', 'tags', ...LINKED_NAMES] as const;
type LinkName = (typeof LINK_NAMES)[number];

function idsIn(plan: LinkPlan | TermPlan | null | undefined): readonly number[] {
  if (!plan) return [];
  return 'ids' in plan ? plan.ids : plan.filter((entry) => typeof entry === 'number');
}
