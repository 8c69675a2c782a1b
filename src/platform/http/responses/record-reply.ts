import type { Transaction } from '../../../database/connection/transaction.js';
import type { Database } from '../../../database/database.js';
import { type ApiError, apiError } from '../../../errors/api-error.js';
import type { ErrorCode } from '../../../errors/error-catalogue.js';
import type { IdOrSlug } from '../../../kernel/id-or-slug.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { type Reply, NEVER_EXPIRES } from '../reply.js';
import type { RequestContext } from '../request-context.js';

/** A record that a write answers with, or a read finds. */
export interface FoundRecord {
  readonly body: { readonly id: number };
  readonly revision: number;
  readonly modifiedUtc: UtcTime;
}

export function recordReply(record: FoundRecord): Reply {
  return { ...record };
}

/** The answer of a read, which depends on no time of day. */
export function readAnswer(record: FoundRecord): Reply {
  return { ...record, expiresAt: NEVER_EXPIRES };
}

/** The answer of a create; a header tells that a record was there already, since clients accept nothing but 201. */
export function createdReply(record: FoundRecord, collection: string, context: RequestContext, isNew = true): Reply {
  const Location = context.urls.record(collection, record.body.id);
  return { ...record, status: 201, headers: isNew ? { Location } : { Location, 'X-Kalends-Reused': 'true' } };
}

/** The answer of a permanent deletion (contract 10.6). */
export function deletedReply(previous: object): Reply {
  return { body: { deleted: true, previous } };
}

/** `Event with ID 13 does not exist.` */
export function notFound(code: ErrorCode, address: IdOrSlug): ApiError {
  const which = 'id' in address ? `ID ${address.id}` : `slug "${address.slug}"`;
  return apiError(code, { params: { which } });
}

/** Refuses a write whose If-Match names another revision; tags are compared by their revision only (contract 5.2). */
export function checkIfMatch({ ifMatch }: RequestContext, revision: number): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  const matches = tags.some((tag) => tag === '*' || /^(?:W\/)?"(\d+)-/.exec(tag)?.[1] === String(revision));
  if (!matches) throw apiError('rest_precondition_failed');
}

/** Carries out a write and answers in one transaction, which also keeps the answer if a repetition could ask for it. */
export function writeReply(
  database: Database,
  context: RequestContext,
  work: (tx: Transaction) => Promise<Reply>,
): Promise<Reply> {
  return database.inTransaction(async (tx) => {
    const answer = naming(context.ignored, await work(tx));
    await context.keepAnswer?.(tx, answer);
    return answer;
  });
}

/** contract 2.1: what was lost on the way is told, in a repetition as well. */
function naming(ignored: string | undefined, answer: Reply): Reply {
  return ignored === undefined ? answer : { ...answer, headers: { ...answer.headers, 'X-Kalends-Ignored': ignored } };
}
