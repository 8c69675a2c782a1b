import type { Sql } from '../../database/sql/dialect.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { mayRead } from '../../kernel/visibility.js';
import type { Problems } from '../../errors/problems.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { findPost } from '../../posts/post.store.js';
import type { EventDto } from '../event.dto.js';
import type { EventRow } from '../event.entity.js';
import { EVENT } from '../event.kind.js';
import { ancestorsOf } from '../event.query.js';

/** The look before the transaction; what an update may keep shows only beside its record. */
export async function checkParent(
  sql: Sql,
  { post_parent }: EventDto,
  mode: 'create' | 'update',
  context: RequestContext,
  problems: Problems,
): Promise<void> {
  if (!post_parent || problems.has('post_parent')) return;
  const parent = await findPost<EventRow>(sql, EVENT, { id: post_parent });
  if (parent === undefined || (mode === 'create' && !isReadable(parent, context)))
    problems.addUnknown('post_parent', [post_parent]);
}

/** The look within the transaction, which holds all parents until its end. A parent sent back is no change. */
export async function checkNewParent(
  tx: Transaction,
  { post_parent }: EventDto,
  stored: EventRow | undefined,
  context: RequestContext,
  problems: Problems,
): Promise<void> {
  if (!post_parent || post_parent === stored?.post_parent) return;
  await lockParents(tx);
  const parent = await findPost<EventRow>(tx, EVENT, { id: post_parent });
  if (parent === undefined || !isReadable(parent, context)) problems.addUnknown('post_parent', [post_parent]);
  else if (stored !== undefined && (await ancestorsOf(tx, post_parent)).includes(stored.id)) {
    problems.add('post_parent', 'rest_conflict', 'must not be the event itself or one of its descendants.');
  }
}

/** One writer of parents at a time: no two make a circle, none takes a parent that is being deleted. */
export function lockParents(tx: Transaction): Promise<void> {
  return tx.lockName('event parents');
}

/** A parent that the caller may not read is as unknown as any other (contract 7.3). */
function isReadable(parent: EventRow, { caller, nowUtc }: RequestContext): boolean {
  return mayRead(parent, caller, nowUtc);
}
