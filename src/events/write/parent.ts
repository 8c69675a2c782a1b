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

/** Checks a parent before the transaction. Of an update, `checkNewParent` checks whether the caller may read it. */
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

/** Checks a parent in the transaction, and locks all parents until its end. A parent that does not change is valid. */
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

/** Locks all parents, so that concurrent writes create no cycle and use no parent that is being deleted. */
export function lockParents(tx: Transaction): Promise<void> {
  return tx.lockName('event parents');
}

/** A parent that the caller may not read counts as unknown (contract 7.3). */
function isReadable(parent: EventRow, { caller, nowUtc }: RequestContext): boolean {
  return mayRead(parent, caller, nowUtc);
}
