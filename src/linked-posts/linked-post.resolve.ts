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
import { lockNameOf } from './linked-post.reuse.js';
import { LinkedPostStore } from './linked-post.store.js';
import { checkWrite, type LinkedPostWrite } from './linked-post.draft.js';

export { type LinkItem, readLinkItems } from './linked-post.items.js';

/** The checked links of an event, in the order given: ids, and records to create or reuse. */
export type LinkPlan = readonly (number | LinkedPostWrite)[];

/** The ids of records that events may be linked to. */
export type LinkableIds = ReadonlySet<number>;

/** The columns that `mayRead` needs. */
const RIGHTS = { numbers: ['id', 'author_id'], texts: ['status', 'trashed_from', 'public_from'] };

/** The filters and links of events by records of one kind (contract 10.5). */
export class PostLinks<Row extends LinkedPostRow> {
  private readonly records: LinkedPostStore;

  constructor(
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
  ) {
    this.records = new LinkedPostStore(images, kind);
  }

  /** Checks the items of an event's field and reports problems. `known`: the ids that may be linked. */
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
    // Looks up ids only for callers who may write, so that others do not learn which exist (contract section 6).
    if (can(context.caller, 'edit_posts')) reportUnknown(idsAmong(items), known, field, problems);
    const plan: (number | LinkedPostWrite)[] = [];
    for (const item of items)
      plan.push('id' in item ? item.id : await this.checkData(sql, item, field, context, problems));
    return plan;
  }

  /** Returns the queries that `check` needs for the items of several events. `linkableIdsOf` takes their rows. */
  lookupQueries(items: readonly LinkItem[]): LookupQuery[] {
    const ids = [...new Set(idsAmong(items))];
    if (ids.length === 0) return [];
    const { sql, params } = isOneOf('id', ids);
    return [{ ...RIGHTS, from: condition(`${this.kind.table} WHERE ${sql}`, ...params) }];
  }

  /** Returns the ids of the found records that the caller may link. */
  linkableIdsOf(found: readonly (readonly object[])[], { caller, nowUtc }: RequestContext): LinkableIds {
    const posts = found.flat() as (PostRights & { readonly id: number })[];
    const known = posts.filter((post) => mayRead(post, caller, nowUtc) && post.status !== 'trash');
    return new Set(known.map(({ id }) => id));
  }

  /** Locks records against deletion until the commit. Returns the ids of missing ones. */
  lock(tx: Transaction, ids: readonly number[]): Promise<number[]> {
    return tx.lockRows(this.kind.table, ids, selectShown(this.kind));
  }

  /** Returns the names that the transaction must lock for `store` (contract VO-15). */
  names(plan: LinkPlan): string[] {
    return writesIn(plan).map(({ dto }) => lockNameOf(this.kind, dto));
  }

  /**
   * Creates or reuses the records of checked plans under their locks. Returns the ids of each plan in order, without
   * duplicates (contract EV-NEW-14).
   */
  async store(tx: Transaction, plans: readonly LinkPlan[], context: RequestContext): Promise<number[][]> {
    const writes = plans.flatMap(writesIn);
    for (const { dto } of writes) mustBeOwnAuthor(dto, context.caller.userId, context);
    const created = (await this.records.create(tx, writes, context)).values();
    // `created` has the order of the writes in the plans.
    const idOf = (entry: number | LinkedPostWrite) => (typeof entry === 'number' ? entry : created.next().value!.id);
    return plans.map((plan) => [...new Set(plan.map(idOf))]);
  }

  /** Returns the records in an event's response: those that the caller may read, without trashed ones (contract 7.3). */
  async findVisible(sql: Sql, ids: readonly number[], context: RequestContext): Promise<Map<number, Shown<Row>>> {
    const found = await this.findReadable(sql, ids, context);
    return new Map([...found].filter(([, row]) => row.status !== 'trash'));
  }

  /** Reports ids in a filter without a record that the caller may read. Trashed records are valid (contract 10.1). */
  async checkFilter(
    sql: Sql,
    ids: readonly number[] | undefined,
    field: string,
    context: RequestContext,
    problems: Problems,
  ): Promise<void> {
    if (ids !== undefined) {
      const found = await this.findReadable(sql, ids, context);
      reportUnknown(ids, new Set(found.keys()), field, problems);
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

  /** Checks inline data by the rules of a create. The problem names the path of the member (contract EV-NEW-12). */
  private async checkData(
    sql: Sql,
    { data, index }: Extract<LinkItem, { data: unknown }>,
    field: string,
    context: RequestContext,
    problems: Problems,
  ): Promise<LinkedPostWrite> {
    const input = readInput(this.kind.dto, 'create', data, can(context.caller, 'edit_posts'));
    const write = await checkWrite(sql, this.images, this.kind, input, 'create', context);
    const [problem] = input.problems.list();
    if (problem !== undefined) {
      const { code, text } = problem;
      const path = index === undefined ? '' : `[${index}]`;
      problems.addWithin(field, code === 'rest_missing' ? 'rest_empty' : code, `${path}.${text}`);
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

function reportUnknown(ids: readonly number[], known: LinkableIds, field: string, problems: Problems): void {
  problems.addUnknown(
    field,
    [...new Set(ids)].filter((id) => !known.has(id)),
  );
}
