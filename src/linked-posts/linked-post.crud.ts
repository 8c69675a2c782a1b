import type { Database } from '../database/database.js';
import { cacheMoment } from '../database/cache/read-cache.js';
import type { Transaction } from '../database/connection/transaction.js';
import { byId, bySlug, type IdOrSlug } from '../kernel/id-or-slug.js';
import { allOf, condition, isOneOf, type SqlCondition } from '../kernel/sql-condition.js';
import { searchPieces } from '../kernel/text/search-query.js';
import { mustHave } from '../errors/api-error.js';
import type { Problems } from '../errors/problems.js';
import { NEVER_EXPIRES, type Reply, type WrittenReply } from '../platform/http/reply.js';
import {
  filtersOf,
  checkPageExists as mustHavePage,
  postCollection,
} from '../platform/http/responses/collection-reply.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import type { Input, InputMode } from '../platform/http/fields/input.js';
import {
  createdReply,
  deletedReply,
  type FoundRecord,
  readReply,
  recordReply,
  writeReply,
} from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { runOf, type ShownRecords } from '../platform/http/shown-records.js';
import type { ImagesService } from '../platform/images/images.service.js';
import {
  checkStatusFilter,
  lockEditable,
  mustExist,
  mustBeOwnAuthor,
  mustRead,
  statusWords,
} from '../posts/post.access.js';
import type { Shown } from '../posts/post.columns.js';
import type { LinkedPostDto, LinkedPostKind } from './linked-post.kind.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import { filterByEvent } from '../posts/post.event-filter.js';
import { linkedPostCondition, linkedTo } from './linked-post.filter.js';
import { LINKED_POST_FILTERS, type LinkedPostParams } from './linked-post.params.js';
import type { PostDeletion } from '../posts/post.dto.js';
import { findLinkedPost, findLinkedPostPage, findLinkedPosts, type LinkedPostSearch } from './linked-post.query.js';
import { lockNameOf } from './linked-post.reuse.js';
import { LinkedPostStore } from './linked-post.store.js';
import { upcomingCondition } from './linked-post.upcoming.js';
import { checkWrite, type LinkedPostWrite } from './linked-post.draft.js';

/** The presenter of a kind. */
type Present<Row extends LinkedPostRow> = (
  row: Shown<Row>,
  context: RequestContext,
  options: { readonly jsonLd: boolean },
) => { readonly id: number };

const MAX_SEARCH_WORDS = 20;

/** The operations on records of one kind. The services of venues and organizers extend it. */
export abstract class LinkedPostCrud<Row extends LinkedPostRow> {
  private readonly store: LinkedPostStore;

  constructor(
    private readonly database: Database,
    private readonly images: ImagesService,
    private readonly kind: LinkedPostKind,
    private readonly present: Present<Row>,
  ) {
    this.store = new LinkedPostStore(images, kind);
  }

  async list({ dto, problems }: Input<LinkedPostParams>, context: RequestContext): Promise<Reply> {
    const search = readSearch(dto.search, problems);
    checkStatusFilter(dto.status, context, problems);
    const sql = await this.database.cachedReads(context);
    const event = { name: 'event', id: dto.event, linkedTo: (id: number) => linkedTo(this.kind, id) };
    const ofEvent = await filterByEvent(sql, event, context, problems);
    problems.throwIfAny();
    // Upcoming events change every second, so that the cache moment is too old.
    const nowUtc = dto.only_with_upcoming === true ? context.nowUtc : cacheMoment(sql, context.nowUtc);
    const { dialect } = this.database;
    const cached = { ...context, nowUtc };
    const upcoming = dto.only_with_upcoming === true ? [await upcomingCondition(sql, dialect, this.kind, cached)] : [];
    const where = allOf([linkedPostCondition(dialect, this.kind, dto, cached), ofEvent, ...upcoming]);
    const page = requestedPage(dto, context);
    const { rows, total } = await findLinkedPostPage<Row>(sql.scans, this.kind, where, search, page);
    mustHavePage(total, page, this.kind.errors.pageNotFound);
    const items = rows.map((row) => this.present(row, context, { jsonLd: false }));
    const names = [...LINKED_POST_FILTERS, ...(this.kind.filters ?? [])];
    const filters = filtersOf({ ...dto, status: statusWords(dto.status, context) }, names);
    const expiresAt = dto.only_with_upcoming === true ? undefined : NEVER_EXPIRES;
    return postCollection({ name: this.kind.collection, items, total, page, filters, expiresAt }, context);
  }

  /** Returns the records that a list without filters shows, for programs that keep a copy. */
  shown(context: RequestContext): ShownRecords {
    const isShown = linkedPostCondition(this.database.dialect, this.kind, {}, context);
    const find = async (where: SqlCondition) => {
      const rows = await findLinkedPosts<Row>(this.database, this.kind, where);
      return rows.map((row) => this.record(row, context, false));
    };
    return {
      among: (ids) => find(allOf([isOneOf('p.id', ids), isShown])),
      after: async (id, count) => {
        const { sql, params } = allOf([condition('p.id > ?', id), isShown]);
        return runOf(await find(condition(`${sql} ORDER BY p.id LIMIT ?`, ...params, count + 1)), id, count);
      },
    };
  }

  async read(idOrSlug: IdOrSlug, context: RequestContext): Promise<Reply> {
    const row = mustRead(await findLinkedPost<Row>(this.database, this.kind, idOrSlug), this.kind, idOrSlug, context);
    return readReply(this.record(row, context, true));
  }

  /** Returns the id of the record with a page's slug. Throws if it does not exist or the caller may not read it. */
  async getIdBySlug(slug: string, context: RequestContext): Promise<number> {
    const row = await findLinkedPost<Row>(this.database, this.kind, bySlug(slug));
    return mustRead(row, this.kind, bySlug(slug), context).id;
  }

  async create(input: Input<LinkedPostDto>, context: RequestContext): Promise<WrittenReply> {
    const write = await this.check(input, 'create', context);
    mustBeOwnAuthor(write.dto, context.caller.userId, context);
    return writeReply(this.database, context, async (tx) => {
      await tx.lockName(lockNameOf(this.kind, write.dto));
      const [created] = await this.store.create(tx, [write], context);
      const { id, isNew } = created!;
      return createdReply(await this.stored(tx, id, context), this.kind.collection, context, isNew);
    });
  }

  async update(idOrSlug: IdOrSlug, input: Input<LinkedPostDto>, context: RequestContext): Promise<WrittenReply> {
    const write = await this.check(input, 'update', context);
    return writeReply(this.database, context, async (tx) => {
      const row = await lockEditable<Row>(tx, this.kind, idOrSlug, write.dto, context);
      await this.store.update(tx, row, write, context);
      return recordReply(await this.stored(tx, row.id, context));
    });
  }

  async remove(
    idOrSlug: IdOrSlug,
    { dto, problems }: Input<PostDeletion>,
    context: RequestContext,
  ): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, 'edit_posts');
    const force = dto.force === true;
    return writeReply(this.database, context, async (tx) => {
      const row = await lockEditable<Row>(tx, this.kind, idOrSlug, {}, context);
      const last = await this.stored(tx, row.id, context);
      await this.store.remove(tx, row, force, context);
      return force ? deletedReply(last.body) : recordReply(await this.stored(tx, row.id, context));
    });
  }

  /** Throws one error with all problems of the fields, then a 403 if the capability is missing (contract section 6). */
  private async check(input: Input<LinkedPostDto>, mode: InputMode, context: RequestContext): Promise<LinkedPostWrite> {
    const write = await checkWrite(this.database, this.images, this.kind, input, mode, context);
    input.problems.throwIfAny();
    mustHave(context.caller, 'edit_posts');
    return write;
  }

  /** Returns the record after a write. */
  private async stored(tx: Transaction, id: number, context: RequestContext): Promise<FoundRecord> {
    const row = mustExist(await findLinkedPost<Row>(tx, this.kind, byId(id)), this.kind, byId(id));
    return this.record(row, context, false);
  }

  private record(row: Shown<Row>, context: RequestContext, jsonLd: boolean): FoundRecord {
    return { body: this.present(row, context, { jsonLd }), revision: row.revision, modifiedUtc: row.modified_utc };
  }
}

/** Splits a search into words, and reports none or too many (contract 11.1). */
function readSearch(text: string | undefined, problems: Problems): LinkedPostSearch | undefined {
  if (text === undefined) return undefined;
  const pieces = searchPieces(text);
  if (pieces.length === 0) problems.add('search', 'rest_empty', 'must not be empty.');
  if (pieces.length > MAX_SEARCH_WORDS)
    problems.add('search', 'rest_too_long', `must not have more than ${MAX_SEARCH_WORDS} words.`);
  return { text: text.trim(), pieces };
}
