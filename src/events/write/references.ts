import { Injectable } from '@nestjs/common';
import type { Sql } from '../../database/sql/dialect.js';
import { type LookupQuery, batchedLookup } from '../../database/sql/batched-lookup.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { can } from '../../kernel/caller.js';
import type { LinkableIds, LinkPlan } from '../../linked-posts/linked-post.resolve.js';
import { Problems } from '../../errors/problems.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { ImagesService } from '../../platform/images/images.service.js';
import { authorLookupQueries, authorsIn, checkAuthor } from '../../posts/post.author.js';
import type { TermLookup } from '../../terms/term.lookup.js';
import type { TermPlan } from '../../terms/term.resolve.js';
import type { EventDto } from '../event.dto.js';
import {
  byName,
  type ByName,
  byTermName,
  type ByTermName,
  EventLinkKinds,
  type EventLinkIds,
  LINKED_NAMES,
  type LinkedName,
  TERM_NAMES,
  type TermName,
} from '../event.link-kinds.js';
import { checkParent } from './parent.js';

/** What a write links its event to: checked, not yet created. Undefined: not sent, nothing changes; null: nothing any more. */
export type PlannedLinks = Partial<ByName<LinkPlan | null>> & Partial<ByTermName<TermPlan | null>>;

/** What is there of all that writes refer to. */
export interface KnownReferences extends ByName<LinkableIds>, ByTermName<TermLookup> {
  readonly authors: ReadonlySet<number>;
}

/** Looks up all that writes refer to, and creates what they bring along. */
@Injectable()
export class EventReferences {
  constructor(
    private readonly linked: EventLinkKinds,
    private readonly images: ImagesService,
  ) {}

  /** Looks up what writes refer to by id, slug or name: one statement, however many writes there are. */
  async find(sql: Sql, dtos: readonly EventDto[], context: RequestContext): Promise<KnownReferences> {
    // Ids and names are looked up for those who may write only: nobody else learns which exist (contract section 6).
    const sent = can(context.caller, 'edit_posts') ? dtos : [];
    const { links, terms } = this.linked;
    const lookUps: Record<keyof KnownReferences, LookupQuery[]> = {
      ...byName((name) => links[name].lookUps(sent.flatMap((dto) => dto[name] ?? []))),
      ...byTermName((name) => terms[name].lookupQueries(sent.flatMap((dto) => dto[name] ?? []))),
      authors: authorLookupQueries(sent),
    };
    const all = Object.values(lookUps).flat();
    const answers = await batchedLookup(sql, all);
    const found = (name: keyof KnownReferences) => lookUps[name].map((one) => answers[all.indexOf(one)] ?? []);
    return {
      ...byName((name) => links[name].knownIn(found(name), context)),
      ...byTermName((name) => terms[name].lookupOf(found(name))),
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
    const check = (name: TermName) =>
      dto[name] && this.linked.terms[name].check(dto[name], known[name], name, context, problems);
    return { ...posts, ...byTermName(check) };
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
    const goneTerms = await tx.lockRows(TABLES.terms, TERM_NAMES.flatMap(idsOf));
    for (const name of TERM_NAMES) addUnknown(name, goneTerms);
    for (const name of LINKED_NAMES) addUnknown(name, await this.linked.links[name].hold(tx, idsOf(name)));
    problems.throwIfAny();
  }

  /** Creates or finds what the plans name, under their locks; null unlinks all (contract 10.5). */
  async store(tx: Transaction, plans: readonly PlannedLinks[], context: RequestContext): Promise<EventLinkIds[]> {
    const ids: Partial<Record<LinkName, number[][]>> = {};
    for (const name of LINKED_NAMES) {
      const sent = plans.map((plan) => plan[name] ?? []);
      ids[name] = await this.linked.links[name].store(tx, sent, context);
    }
    for (const name of TERM_NAMES) {
      const sent = plans.map((plan) => plan[name] ?? { ids: [], names: [] });
      ids[name] = await this.linked.terms[name].store(tx, sent, context);
    }
    return plans.map((plan, index) => {
      const sent = LINK_NAMES.filter((name) => plan[name] !== undefined);
      return Object.fromEntries(sent.map((name) => [name, ids[name]?.[index]]));
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

  private namesOf(plan: PlannedLinks): string[] {
    return [
      ...LINKED_NAMES.flatMap((name) => this.linked.links[name].names(plan[name] ?? [])),
      ...TERM_NAMES.flatMap((name) => this.linked.terms[name].names(plan[name])),
    ];
  }
}

const LINK_NAMES = [...TERM_NAMES, ...LINKED_NAMES];
type LinkName = LinkedName | TermName;

function idsIn(plan: LinkPlan | TermPlan | null | undefined): readonly number[] {
  if (!plan) return [];
  return 'ids' in plan ? plan.ids : plan.filter((entry) => typeof entry === 'number');
}
