import type { Transaction } from '../database/connection/transaction.js';
import { TABLES } from '../database/sql/tables.js';
import { isOneOf } from '../kernel/sql-condition.js';
import { isListed, type ListedState } from '../kernel/visibility.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { recordPostChange } from '../posts/post.change.js';
import type { LinkedPostRow } from './linked-post.entity.js';
import type { LinkedPostKind } from './linked-post.kind.js';

/** Whether a write shows a record to readers who could not see it: it leaves the trash, or becomes public, say. */
export function gainsReaders(before: LinkedPostRow, after: LinkedPostRow, nowUtc: string): boolean {
  if (before.status === 'trash' && after.status !== 'trash') return true;
  return isListed(after, nowUtc) ? !isListed(before, nowUtc) : before.author_id !== after.author_id;
}

/**
 * Adds all events that link to these records to the change record. A copy that read such an event while the record was
 * away has it without the link, also if the event itself has not changed since (changes section 5).
 */
export async function recordEventsOf(
  tx: Transaction,
  { linkTable, linkColumn }: LinkedPostKind,
  ids: readonly number[],
  context: Pick<RequestContext, 'caller' | 'nowUtc'>,
): Promise<void> {
  const { sql, params } = isOneOf(`l.${linkColumn}`, ids);
  const events = await tx.query<ListedState & { id: number }>(
    `SELECT DISTINCT e.id, e.public_from, e.author_id, e.hide_from_listings
     FROM ${linkTable} l JOIN ${TABLES.events} e ON e.id = l.event_id WHERE ${sql} ORDER BY e.id`,
    params,
  );
  for (const event of events) recordPostChange(tx, 'event.updated', event.id, { before: event, after: event }, context);
}
