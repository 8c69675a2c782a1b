import type { Sql } from '../database/sql/dialect.js';
import type { LookupQuery } from '../database/sql/batched-lookup.js';
import { cachedRecords } from '../database/cache/read-cache.js';
import type { Transaction } from '../database/connection/transaction.js';
import { can } from '../kernel/caller.js';
import { condition, isOneOf } from '../kernel/sql-condition.js';
import { mayRead, type PostRights } from '../kernel/visibility.js';
import { MAX_ITEMS } from '../platform/http/fields/coercion.js';
import type { Problems } from '../errors/problems.js';
import { readInput } from '../platform/http/fields/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImagesService } from '../platform/images/images.service.js';
import { mustBeOwnAuthor } from '../posts/post.access.js';
import type { Shown } from '../posts/post.columns.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkItem } from './linked-post.items.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import { findLinkedPosts, selectShown } from './linked-post.query.js';
import { lockOf } from './linked-post.reuse.js';
import { LinkedPostStore } from './linked-post.store.js';
import { checkWrite, type LinkedPostWrite } from './linked-post.draft.js';

export { type LinkItem, readLinkItems } from './linked-post.items.js';

/** What an event will be linked to, in the order given: ids that were checked, and records to create or to reuse. */
export type LinkPlan = readonly (number | LinkedPostWrite)[];

/** The ids of records that events may be linked to. */
export type LinkableIds = ReadonlySet<number>;

/** What decides about it. */
const RIGHTS = { numbers: ['id', 'author_id'], texts: ['status', 'trashed_from', 'public_from'] };

/** What events ask of their venues, or of their organizers (contract 10.5). */
export class PostLinks<Row extends LinkedPostRow> {
  private readonly records: LinkedPostStore;

  constructor(
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
  ) {
    this.records = new LinkedPostStore(images, kind);
  }

  /** Looks at what is to be linked; what cannot be becomes a problem of the event's field. `known`: by id. */
  async check(
    sql: Sql,
    items: readonly LinkItem[],
    known: LinkableIds,
    field: string,
    context: RequestContext,
    problems: Problems,
  ): Promise<LinkPlan> {
    if (items.length > MAX_ITEMS) {
      problems.add(field, 'rest_too_long', `must not have more than ${MAX_ITEMS} items.`);
      return [];
    }
    // Ids are looked up for those who may write only: nobody else learns which exist (contract section 6).
    if (can(context.caller, 'edit_posts')) refuseUnknown(idsAmong(items), known, field, problems);
    const plan: (number | LinkedPostWrite)[] = [];
    for (const item of items)
      plan.push('id' in item ? item.id : await this.checkData(sql, item, field, context, problems));
    return plan;
  }

  /** What `check` needs to know of the ids that several events name; `knownIn` reads what was found. */
  lookupQueries(items: readonly LinkItem[]): LookupQuery[] {
    const ids = [...new Set(idsAmong(items))];
    if (ids.length === 0) return [];
    const { sql, params } = isOneOf('id', ids);
    return [{ ...RIGHTS, from: condition(`${this.kind.table} WHERE ${sql}`, ...params) }];
  }

  /** Of the records found, those that the caller may link to. */
  linkableIdsOf(found: readonly (readonly object[])[], { caller, nowUtc }: RequestContext): LinkableIds {
    const posts = found.flat() as (PostRights & { readonly id: number })[];
    const known = posts.filter((post) => mayRead(post, caller, nowUtc) && post.status !== 'trash');
    return new Set(known.map(({ id }) => id));
  }

  /** Keeps the records from being deleted before the commit, and answers the ids of those that are gone. */
  lock(tx: Transaction, ids: readonly number[]): Promise<number[]> {
    return tx.lockRows(this.kind.table, ids, selectShown(this.kind));
  }

  /** The locks that `store` needs the transaction to hold (contract VO-15). */
  names(plan: LinkPlan): string[] {
    return writesIn(plan).map(({ dto }) => lockOf(this.kind, dto));
  }

  /**
   * Creates or reuses the records of checked plans, under their locks, and answers all ids of each in order, without
   * repeats (contract EV-NEW-14).
   */
  async store(tx: Transaction, plans: readonly LinkPlan[], context: RequestContext): Promise<number[][]> {
    const writes = plans.flatMap(writesIn);
    for (const { dto } of writes) mustBeOwnAuthor(dto, context.caller.userId, context);
    const created = (await this.records.create(tx, writes, context)).values();
    // The order of the plans is the order of their writes.
    const idOf = (entry: number | LinkedPostWrite) => (typeof entry === 'number' ? entry : created.next().value!.id);
    return plans.map((plan) => [...new Set(plan.map(idOf))]);
  }

  /** The records that an event is shown with: those the caller may read, without trashed ones (contract 7.3). */
  async findVisible(sql: Sql, ids: readonly number[], context: RequestContext): Promise<Map<number, Shown<Row>>> {
    const found = await this.findReadable(sql, ids, context);
    return new Map([...found].filter(([, row]) => row.status !== 'trash'));
  }

  /** Refuses ids of a filter that name nothing the caller may read; a trashed record serves (contract 10.1). */
  async checkFilter(
    sql: Sql,
    ids: readonly number[] | undefined,
    field: string,
    context: RequestContext,
    problems: Problems,
  ): Promise<void> {
    if (ids !== undefined) {
      const found = await this.findReadable(sql, ids, context);
      refuseUnknown(ids, new Set(found.keys()), field, problems);
    }
  }

  private async findReadable(
    sql: Sql,
    ids: readonly number[],
    { caller, nowUtc }: RequestContext,
  ): Promise<Map<number, Shown<Row>>> {
    const found = await cachedRecords(sql, this.kind.table, ids, (database, missing) => {
      return findLinkedPosts<Row>(database, this.kind, isOneOf('p.id', missing));
    });
    return new Map([...found].filter(([, row]) => mayRead(row, caller, nowUtc)));
  }

  /** Inline data follow the rules of a create; the problem says where the bad member is (contract EV-NEW-12). */
  private async checkData(
    sql: Sql,
    { data, index }: Extract<LinkItem, { data: unknown }>,
    field: string,
    context: RequestContext,
    problems: Problems,
  ): Promise<LinkedPostWrite> {
    const input = readInput(this.kind.dto, 'create', data, can(context.caller, 'edit_posts'));
    const write = await checkWrite(sql, this.images, this.kind, input, 'create', context);
    const [bad] = input.problems.list();
    if (bad !== undefined) {
      const place = index === undefined ? '' : `[${index}]`;
      problems.addWithin(field, bad.code === 'rest_missing' ? 'rest_empty' : bad.code, `${place}.${bad.text}`);
    }
    return write;
  }
}

function writesIn(plan: LinkPlan): LinkedPostWrite[] {
  return plan.filter((entry) => typeof entry !== 'number');
}

function idsAmong(items: readonly LinkItem[]): number[] {
  return items.flatMap((item) => ('id' in item ? [item.id] : []));
}

function refuseUnknown(ids: readonly number[], known: LinkableIds, field: string, problems: Problems): void {
  problems.addUnknown(
    field,
    [...new Set(ids)].filter((id) => !known.has(id)),
  );
}
