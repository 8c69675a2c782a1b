import type { Transaction } from '../database/connection/transaction.js';
import { isListed, type ListedState } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';

/** A record before and after a change. undefined: it does not exist then. */
interface PostStates {
  readonly before?: ListedState;
  readonly after?: ListedState;
}

/**
 * Adds a change of a post to the change record, with those who may know of it. A new author does not hide the change
 * from the former one, whose copy must lose the record (changes rule 4).
 */
export function recordPostChange(
  tx: Transaction,
  kind: string,
  id: number,
  { before, after }: PostStates,
  { caller, nowUtc }: Pick<RequestContext, 'caller' | 'nowUtc'>,
): void {
  const listed = {
    before: before !== undefined && isListed(before, nowUtc),
    after: after !== undefined && isListed(after, nowUtc),
  };
  const states = [after, before].filter((state) => state !== undefined);
  const owners = [...new Set(states.map(({ author_id }) => author_id))];
  // A listed change needs one row, because every caller may know of it.
  for (const ownerId of listed.before || listed.after ? owners.slice(0, 1) : owners)
    tx.recordChange(kind, id, caller.userId, { ...listed, ownerId });
}
