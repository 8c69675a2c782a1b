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
import { SHOWN_TERMS } from '../../terms/term.query.js';

/** The checked links of a write, whose new records are not yet created. undefined: not sent. null: removes all links. */
export type PlannedLinks = Partial<ByName<LinkPlan | null>> & Partial<ByTermName<TermPlan | null>>;

/** The existing records among those that writes refer to. */
export interface KnownReferences extends ByName<LinkableIds>, ByTermName<TermLookup> {
  readonly authors: ReadonlySet<number>;
}

/** Looks up the records that writes refer to, and creates the new ones. */
@Injectable()
export class EventReferences {
  constructor(
    private readonly linked: EventLinkKinds,
    private readonly images: ImagesService,
  ) {}

  /** Looks up the records that any number of writes name by id, slug or name, in few statements. */
  async find(sql: Sql, dtos: readonly EventDto[], context: RequestContext): Promise<KnownReferences> {
    // Looks them up only for callers who may write, so that others do not learn which exist (contract section 6).
    const sent = can(context.caller, 'edit_posts') ? dtos : [];
    const { links, terms } = this.linked;
    const queries: Record<keyof KnownReferences, LookupQuery[]> = {
      ...byName((name) => links[name].lookupQueries(sent.flatMap((dto) => dto[name] ?? []))),
      ...byTermName((name) => terms[name].lookupQueries(sent.flatMap((dto) => dto[name] ?? []))),
      authors: authorLookupQueries(sent),
    };
    const all = Object.values(queries).flat();
    const results = await batchedLookup(sql, all);
    const found = (name: keyof KnownReferences) => queries[name].map((query) => results[all.indexOf(query)] ?? []);
    return {
      ...byName((name) => links[name].linkableIdsOf(found(name), context)),
      ...byTermName((name) => terms[name].lookupOf(found(name))),
      authors: await authorsIn(sql, found('authors'), sent),
    };
  }

  /** Checks the references of a write and reports those that are unknown or not allowed. */
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
   * Locks the references of writes until the commit, in few statements. Locks the names of new records, so that
   * concurrent writes create equal records once. Locks the records linked by id, so that none is deleted.
   */
  async lock(tx: Transaction, drafts: readonly { readonly plan: PlannedLinks }[]): Promise<void> {
    const plans = drafts.map(({ plan }) => plan);
    await tx.lockNames(plans.flatMap((plan) => this.namesOf(plan)));
    const problems = new Problems(LINK_NAMES);
    const idsOf = (name: LinkName) => plans.flatMap((plan) => idsIn(plan[name]));
    const addUnknown = (name: LinkName, missing: readonly number[]) =>
      problems.addUnknown(
        name,
        idsOf(name).filter((id) => missing.includes(id)),
      );
    // All in this order, and in one round trip.
    const [missingTerms, ...missing] = await Promise.all([
      tx.lockRows(TABLES.terms, TERM_NAMES.flatMap(idsOf), SHOWN_TERMS),
      ...LINKED_NAMES.map((name) => this.linked.links[name].lock(tx, idsOf(name))),
    ]);
    for (const name of TERM_NAMES) addUnknown(name, missingTerms);
    for (const [index, name] of LINKED_NAMES.entries()) addUnknown(name, missing[index]!);
    problems.throwIfAny();
  }

  /** Creates the new records of the plans under their locks, and returns the ids of all links (contract 10.5). */
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

  /** Returns the ids of the records that the caller sees with an event. */
  async visible(sql: Sql, ids: ByName<readonly number[]>, context: RequestContext): Promise<ByName<readonly number[]>> {
    const visible = { ...ids };
    for (const name of LINKED_NAMES) {
      const records = await this.linked.links[name].findVisible(sql, ids[name], context);
      visible[name] = ids[name].filter((id) => records.has(id));
    }
    return visible;
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
