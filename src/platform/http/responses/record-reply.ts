import type { Transaction } from '../../../database/connection/transaction.js';
import type { Database } from '../../../database/database.js';
import { type ApiError, apiError } from '../../../errors/api-error.js';
import type { ErrorCode } from '../../../errors/error-catalogue.js';
import type { IdOrSlug } from '../../../kernel/id-or-slug.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { NEVER_EXPIRES, type Reply, replyOf, type ReplyParts, type WrittenReply } from '../reply.js';
import type { RequestContext } from '../request-context.js';

/** A record to respond with. */
export interface FoundRecord {
  readonly body: { readonly id: number };
  readonly revision: number;
  /** See `Reply.modifiedUtc`. undefined: unknown. */
  readonly modifiedUtc?: UtcTime;
}

export function recordReply(record: FoundRecord): Reply {
  return replyOf(record);
}

/** Returns the reply of a read. It is cached until the next commit, or as long as it still holds. */
export function readReply(
  record: Omit<FoundRecord, 'body'> & { readonly body: object } & Pick<ReplyParts, 'stillHolds'>,
): Reply {
  return replyOf({ ...record, expiresAt: NEVER_EXPIRES });
}

/** Returns the reply of a create. A header marks an existing record, because clients accept no status but 201. */
export function createdReply(record: FoundRecord, collection: string, context: RequestContext, isNew = true): Reply {
  const Location = context.urls.record(collection, record.body.id);
  const headers: Record<string, string> = isNew ? { Location } : { Location, 'X-Kalends-Reused': 'true' };
  return replyOf({ ...record, status: 201, headers });
}

/** Returns the reply of a permanent deletion (contract 10.6). */
export function deletedReply(previous: object): Reply {
  return replyOf({ body: { deleted: true, previous } });
}

/** `Event with ID 13 does not exist.` */
export function notFound(code: ErrorCode, idOrSlug: IdOrSlug): ApiError {
  const which = 'id' in idOrSlug ? `ID ${idOrSlug.id}` : `slug "${idOrSlug.slug}"`;
  return apiError(code, { params: { which } });
}

/** Throws 412 if If-Match names another revision. Only the revision part of the tags counts (contract 5.2). */
export function checkIfMatch({ ifMatch }: RequestContext, revision: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  const matches = tags.some((tag) => tag === '*' || /^(?:W\/)?"(\d+)-/.exec(tag)?.[1] === String(revision));
  if (!matches) throw apiError('rest_precondition_failed');
}

/** Runs a write in one transaction, which also stores the reply if the request has an Idempotency-Key. */
export function writeReply(
  database: Database,
  context: RequestContext,
  work: (tx: Transaction) => Promise<Reply>,
): Promise<WrittenReply> {
  return database.inTransaction(async (tx) => {
    const reply = withIgnoredHeader(context.ignored, await work(tx));
    await context.storeReply?.(tx, reply);
    return reply as WrittenReply;
  });
}

/** Adds the names of ignored members (contract 2.1). They are stored with the reply, so a replay has them, too. */
function withIgnoredHeader(ignored: string | undefined, reply: Reply): Reply {
  return ignored === undefined ? reply : { ...reply, headers: { ...reply.headers, 'X-Kalends-Ignored': ignored } };
}
