import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/connection/transaction.js';
import { apiError } from '../../errors/api-error.js';
import { Problems } from '../../errors/problems.js';
import { idInUid } from '../../kernel/event-uid.js';
import { fieldsOf } from '../../platform/http/fields/field-metadata.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { checkTexts } from '../../platform/http/fields/stored-texts.js';
import { NO_IMAGE } from '../../platform/images/image.columns.js';
import { ImagesService, type SentImage } from '../../platform/images/images.service.js';
import type { InsertedPost } from '../../posts/post.store.js';
import { createPosts, savePost, trashPost } from '../../posts/post.trash.js';
import { changedPostValues, newPostValues } from '../../posts/post.values.js';
import { type EventWrite, EventWriteHooks } from '../hooks/write-hook.js';
import { EventByIdDto } from '../event.dto.js';
import type { EventDraft } from './draft.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import { checkNewParent } from './parent.js';
import { byName, type EventLinkIds, LINKED_NAMES, type LinkedName } from '../event.link-kinds.js';
import { csvOf, type EventReadRow, findEvent, idsOf } from '../event.query.js';
import { EventReferences } from './references.js';
import { readSchedule, type Schedule } from './dates.js';
import { deleteEvent, insertLinks, replaceLinks } from './store.js';
import { checkCost, eventValues } from '../event.values.js';

/** An inserted event. */
export interface NewEvent extends InsertedPost {
  /** The row that a read would return, or undefined if only a read can tell. */
  readonly shown: EventReadRow | undefined;
}

/** Writes checked events in a given transaction: their records, new linked records, and links. */
@Injectable()
export class EventWriter {
  constructor(
    private readonly references: EventReferences,
    private readonly images: ImagesService,
    private readonly hooks: EventWriteHooks,
  ) {}

  /** Inserts events and returns them in order. */
  async insert(tx: Transaction, drafts: readonly EventDraft[], context: RequestContext): Promise<NewEvent[]> {
    await this.references.lock(tx, drafts);
    const dtos = drafts.map(({ dto }) => dto);
    for (const dto of dtos) await throwProblems((problems) => checkNewParent(tx, dto, undefined, context, problems));
    const plans = drafts.map(({ plan }) => plan);
    const links = await this.references.store(tx, plans, context);
    const images = await this.images.store(tx, drafts.map(imageOf), context.nowUtc);
    const events = drafts.map((draft, index) => ({
      dto: draft.dto,
      row: newRow(draft, images[index] ?? null, context),
    }));
    const writes = this.hooks.isEmpty ? [] : events.map((event, index) => createOf(event, links[index] ?? {}, context));
    if (!this.hooks.isEmpty) await this.hooks.before(tx, writes);
    const stored = await createPosts(tx, EVENT, events, context);
    for (const [index, draft] of drafts.entries()) mustBeOwnUid(draft, stored[index]!.id, context);
    const linked = stored.map((row, index) => ({ row, links: links[index] ?? {} }));
    insertLinks(
      tx,
      linked.map(({ row: { id }, links: own }) => ({ id, links: own })),
    );
    if (!this.hooks.isEmpty) {
      await this.hooks.after(
        tx,
        writes.map((write, index) => ({ ...write, id: stored[index]!.id })),
      );
    }
    return linked.map(({ row, links: own }) => ({ id: row.id, slug: row.slug, shown: shownRow(row, own) }));
  }

  /** Changes the sent fields. Without any field it changes nothing, not even `modified_utc` (contract 5.2). */
  async update(tx: Transaction, stored: EventRow, draft: EventDraft, context: RequestContext): Promise<void> {
    const { dto } = draft;
    if (Object.values(dto).every((value) => value === undefined)) return;
    // Locks names before parents like `insert`, so that two writes cannot deadlock.
    await this.references.lock(tx, [draft]);
    const schedule = await checkStored(tx, stored, dto, context);
    const [sent = {}] = await this.references.store(tx, [draft.plan], context);
    const links = await this.keepHiddenLinks(tx, stored, sent, context);
    const [imageId = null] = await this.images.store(tx, [imageOf(draft)], context.nowUtc);
    const write = { ...draft, name: dto.title ?? stored.title, imageId };
    const changes = {
      ...eventValues(dto, stored, context),
      ...schedule,
      ...(await changedPostValues(tx, EVENT, stored, write, context)),
      ...(dto.post_parent === undefined ? {} : { post_parent: dto.post_parent ?? 0 }),
      ...(draft.passwordHash === undefined ? {} : { password_hash: draft.passwordHash }),
    };
    const after = rowAfterWrite({ ...stored, ...changes }, dto);
    const kind = after.status === 'trash' && stored.status !== 'trash' ? 'delete' : 'update';
    await this.hooks.around(
      tx,
      () => [{ kind, id: stored.id, before: stored, after, links, context }],
      async () => {
        await savePost(tx, EVENT, stored, dto, changes, context);
        replaceLinks(tx, stored.id, links);
      },
    );
  }

  /** Moves an event to the trash. */
  trash(tx: Transaction, stored: EventRow, context: RequestContext): Promise<void> {
    const after = { ...stored, status: 'trash' as const };
    return this.hooks.around(
      tx,
      () => [{ kind: 'delete', id: stored.id, before: stored, after, links: {}, context }],
      () => trashPost(tx, EVENT, stored, context),
    );
  }

  /** Deletes an event permanently. */
  delete(tx: Transaction, stored: EventRow, context: RequestContext): Promise<void> {
    return this.hooks.around(
      tx,
      () => [{ kind: 'delete', id: stored.id, before: stored, links: {}, context }],
      () => deleteEvent(tx, stored, this.hooks, context),
    );
  }

  /** If the sent ids are the links that the caller sees, the links hidden from the caller stay (contract 10.5). */
  private async keepHiddenLinks(
    tx: Transaction,
    stored: EventRow,
    links: EventLinkIds,
    context: RequestContext,
  ): Promise<EventLinkIds> {
    if (LINKED_NAMES.every((name) => links[name] === undefined)) return links;
    const row = await findEvent(tx, { id: stored.id });
    const linked = byName((name) => idsOf(row?.[`${name}_ids`] ?? null));
    const visible = await this.references.visible(tx, linked, context);
    const merged = byName((name) => links[name] && withHiddenLinks(links[name], linked[name], visible[name]));
    return { ...links, ...merged };
  }
}

function newRow(draft: EventDraft, imageId: number | null, context: RequestContext): Omit<EventRow, 'id'> {
  const { dto } = draft;
  return {
    ...(eventValues(dto, undefined, context) as EventRow),
    ...(draft.schedule as Schedule),
    ...newPostValues({ ...draft, name: dto.title ?? '', imageId }, context),
    post_parent: dto.post_parent ?? 0,
    password_hash: draft.passwordHash ?? null,
    uid: foreignUid(draft, context),
  };
}

/** Returns the uid to store: not one that the database makes itself, of the id (ical 3). */
function foreignUid({ uid }: EventDraft, { site }: RequestContext): string | null {
  return uid === undefined || idInUid(uid, site.instance) !== undefined ? null : uid;
}

/** Throws if the uid of a new event is one that the database makes for another event. */
function mustBeOwnUid({ uid }: EventDraft, id: number, { site }: RequestContext): void {
  const named = uid === undefined ? undefined : idInUid(uid, site.instance);
  if (named === undefined || named === id) return;
  const text = `uid is that of event ${named}, which no longer exists. Without uid the event gets a new one.`;
  throw apiError('rest_invalid_param', { params: { names: 'uid' }, data: { params: { uid: text } } });
}

function createOf(
  { row, dto }: { readonly row: Omit<EventRow, 'id'>; readonly dto: EventByIdDto },
  links: EventLinkIds,
  context: RequestContext,
): EventWrite {
  return { kind: 'create', after: rowAfterWrite(row, dto), links, context };
}

/** Returns the row that a read would return, or undefined for an event with an image, which needs a query. */
function shownRow(row: EventRow, { categories = [], tags = [], ...posts }: EventLinkIds): EventReadRow | undefined {
  if (row.image_id !== null) return undefined;
  const linked = LINKED_NAMES.map((name) => [`${name}_ids`, csvOf(posts[name] ?? [])]);
  return {
    ...row,
    ...NO_IMAGE,
    ...(Object.fromEntries(linked) as Record<`${LinkedName}_ids`, string | null>),
    term_ids: csvOf([...categories, ...tags]),
  };
}

/** Returns the row after an update. The changed columns do not include the status `trash`, which savePost sets. */
function rowAfterWrite<Row extends Omit<EventRow, 'id'>>(row: Row, { status }: EventByIdDto): Row {
  return status === 'trash' ? { ...row, status } : row;
}

function imageOf({ dto, image }: EventDraft): SentImage {
  return { reference: dto.image, measures: image };
}

/** Checks an update against its stored record: dates, cost, texts and parent. */
function checkStored(
  tx: Transaction,
  stored: EventRow,
  dto: EventByIdDto,
  context: RequestContext,
): Promise<Schedule | undefined> {
  return throwProblems(async (problems) => {
    const schedule = readSchedule(dto, stored, context, problems);
    checkCost(dto, stored, context, problems);
    checkTexts(dto, stored, context, problems);
    await checkNewParent(tx, dto, stored, context, problems);
    return schedule;
  });
}

/** Runs a check and throws one error with all problems that it reports. */
async function throwProblems<Result>(check: (problems: Problems) => Promise<Result>): Promise<Result> {
  const problems = new Problems(fieldsOf(EventByIdDto).map(({ name }) => name));
  const result = await check(problems);
  problems.throwIfAny();
  return result;
}

/** Returns the new links: the sent ids, or, if they are the visible links reordered, these among the hidden links. */
function withHiddenLinks(
  sent: readonly number[],
  linked: readonly number[],
  visible: readonly number[],
): readonly number[] {
  const isSame = sent.length === visible.length && sent.every((id) => visible.includes(id));
  return isSame ? linked.map((id) => sent[visible.indexOf(id)] ?? id) : sent;
}
