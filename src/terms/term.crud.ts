import type { Database } from '../database/database.js';
import type { Sql } from '../database/sql/dialect.js';
import { cacheMoment, type ReadCache } from '../database/cache/read-cache.js';
import { TABLES } from '../database/sql/tables.js';
import { bySlug } from '../kernel/id-or-slug.js';
import { can } from '../kernel/caller.js';
import { allOf } from '../kernel/sql-condition.js';
import { mustHave } from '../errors/api-error.js';
import { NEVER_EXPIRES, type Reply, type WrittenReply } from '../platform/http/reply.js';
import { filtersOf, termCollection } from '../platform/http/responses/collection-reply.js';
import { requestedPage } from '../platform/http/fields/page-fields.js';
import type { Input } from '../platform/http/fields/input.js';
import {
  createdReply,
  deletedReply,
  type FoundRecord,
  notFound,
  readReply,
  recordReply,
  writeReply,
} from '../platform/http/responses/record-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { runOf, type ShownRecords } from '../platform/http/shown-records.js';
import { checkTexts } from '../platform/http/fields/stored-texts.js';
import { LINKED_FILTERS, type TermDeletion, type TermFields, type TermFilters } from './term.dto.js';
import { checkSearch, checkTermIds, termFilter, termsOfEvent } from './term.filter.js';
import type { TermCounts } from './term.counts.js';
import type { TermKind } from './term.kind.js';
import { presentTerm } from './term.presenter.js';
import { findTermPage, findTerms, findTermsAfter, getTerm, type TermRecord } from './term.query.js';
import { importTerm, deleteTerm, insertTerm, lockTermToDelete, updateTerm } from './term.store.js';

/** The operations on terms of one kind. The services of categories and tags extend it. */
export abstract class TermCrud {
  constructor(
    private readonly database: Database,
    private readonly counts: TermCounts,
    private readonly kind: TermKind,
  ) {}

  async list({ dto, problems }: Input<TermFilters>, context: RequestContext): Promise<Reply> {
    checkSearch(dto, problems);
    const sql = await this.open(context);
    const counting = await this.counts.countingFor(sql, cacheMoment(sql, context.nowUtc));
    await checkTermIds(sql, this.kind, idsIn(dto), problems);
    const ofEvent = await termsOfEvent(sql, dto, context, problems);
    problems.throwIfAny();
    const where = allOf([termFilter(this.kind, dto), ofEvent]);
    const wanted = { kind: this.kind, where, hidesEmpty: dto.hide_empty !== false, sort: dto };
    const page = requestedPage(dto, context);
    const { total, terms } = await findTermPage(sql, wanted, page, counting);
    const items = terms.map((term) => presentTerm(term, context.urls));
    const filters = filtersOf(dto, LINKED_FILTERS);
    return termCollection(
      { name: this.kind.collection, items, total, page, filters, expiresAt: NEVER_EXPIRES },
      context,
    );
  }

  /** Returns all terms of the kind, also unused ones, for programs that keep a copy. */
  shown(context: RequestContext): ShownRecords {
    const { database, kind } = this;
    const counting = () => this.counts.countingFor(database, context.nowUtc);
    return {
      among: async (ids) => {
        const terms = await findTerms(database, [kind], ids, await counting());
        return [...terms.values()].map((term) => this.present(term, context));
      },
      after: async (id, count) => {
        const terms = await findTermsAfter(database, kind, id, count + 1, await counting());
        const records = terms.map((term) => this.present(term, context));
        return runOf(records, id, count);
      },
    };
  }

  async read(id: number, context: RequestContext): Promise<Reply> {
    return readReply(await this.record(await this.open(context), id, context));
  }

  async create(input: Input<TermFields>, context: RequestContext): Promise<WrittenReply> {
    checkTexts(input.dto, undefined, context, input.problems);
    await this.checkWrite(input, context);
    return writeReply(this.database, context, async (tx) => {
      const { id } = await insertTerm(tx, this.kind, input.dto, context);
      return createdReply(await this.record(tx, id, context), this.kind.collection, context);
    });
  }

  /** Imports a term of an export and returns the stored term. */
  async importTerm(input: Input<TermFields>, context: RequestContext): Promise<TermRecord> {
    checkTexts(input.dto, undefined, context, input.problems);
    await this.checkWrite(input, context);
    return this.database.inTransaction((tx) => importTerm(tx, this.kind, input.dto, context));
  }

  async update(id: number, input: Input<TermFields>, context: RequestContext): Promise<WrittenReply> {
    await this.checkWrite(input, context);
    return writeReply(this.database, context, async (tx) => {
      await updateTerm(tx, this.kind, id, input.dto, context);
      return recordReply(await this.record(tx, id, context));
    });
  }

  async remove(id: number, { dto, problems }: Input<TermDeletion>, context: RequestContext): Promise<WrittenReply> {
    problems.throwIfAny();
    mustHave(context.caller, this.kind.capability);
    return writeReply(this.database, context, async (tx) => {
      const term = await lockTermToDelete(tx, this.kind, id, context);
      const last = await this.record(tx, id, context);
      await deleteTerm(tx, this.kind, term, context);
      return dto.force ? deletedReply(last.body) : recordReply(last);
    });
  }

  /** Returns the id of the term with a page's slug, or throws a 404. */
  async getIdBySlug(slug: string): Promise<number> {
    const [term] = await this.database.query<{ id: number }>(
      `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ? AND slug = ?`,
      [this.kind.taxonomy, slug],
    );
    if (term === undefined) throw notFound(this.kind.notFound, bySlug(slug));
    return term.id;
  }

  /** Looks up references only for callers who may write, so that others do not learn which exist (contract section 6). */
  private async checkWrite({ dto, problems }: Input<TermFields>, { caller }: RequestContext): Promise<void> {
    const parents = dto.parent ? [dto.parent] : [];
    if (can(caller, this.kind.capability)) await checkTermIds(this.database, this.kind, { parent: parents }, problems);
    problems.throwIfAny();
    mustHave(caller, this.kind.capability);
  }

  private async open(context: RequestContext): Promise<ReadCache> {
    return this.counts.withRecords(await this.database.cachedReads(context));
  }

  private async record(sql: Sql, id: number, context: RequestContext): Promise<FoundRecord> {
    const counting = await this.counts.countingFor(sql, context.nowUtc);
    return this.present(await getTerm(sql, this.kind, id, counting), context);
  }

  private present(term: TermRecord, { urls }: RequestContext): FoundRecord {
    return {
      body: presentTerm(term, urls),
      revision: term.revision,
      modifiedUtc: term.modified_utc,
    };
  }
}

/** Returns the ids of terms in list parameters. The parent 0 is the top level. */
function idsIn({ exclude = [], include = [], parent }: TermFilters): Record<string, readonly number[]> {
  return { exclude, include, parent: parent ? [parent] : [] };
}
