import { TABLES } from '../database/tables.js';
import type { Transaction } from '../database/transaction.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { deletePost } from '../posts/post.store.js';
import { EVENT } from './event.kind.js';
import { lockParents } from './event.parent.js';
import type { EventLinkIds } from './event.references.js';

/** Sets the links of an event; what was not sent stays as it is. */
export async function writeLinks(tx: Transaction, eventId: number, links: EventLinkIds, isNew: boolean): Promise<void> {
  await replace(tx, TABLES.eventVenues, 'venue_id', eventId, links.venue, isNew);
  await replace(tx, TABLES.eventOrganizers, 'organizer_id', eventId, links.organizer, isNew);
  await writeTerms(tx, eventId, links, isNew);
}

/** Deletes an event for good: its links go, its children become top level, the line that imported it may come again. */
export async function deleteEvent(tx: Transaction, id: number, context: RequestContext): Promise<void> {
  for (const table of [TABLES.eventVenues, TABLES.eventOrganizers, TABLES.eventTerms, TABLES.importedLines]) {
    await tx.execute(`DELETE FROM ${table} WHERE event_id = ?`, [id]);
  }
  await releaseChildren(tx, id, context);
  await deletePost(tx, EVENT, id, context);
}

async function releaseChildren(tx: Transaction, id: number, { caller, nowUtc }: RequestContext): Promise<void> {
  await lockParents(tx);
  const children = await tx.query<{ id: number }>(`SELECT id FROM ${TABLES.events} WHERE post_parent = ?`, [id]);
  if (children.length === 0) return;
  await tx.execute(
    `UPDATE ${TABLES.events} SET post_parent = 0, modified_utc = ?, revision = revision + 1 WHERE post_parent = ?`,
    [nowUtc, id],
  );
  for (const child of children) tx.note('event.updated', child.id, caller.userId);
}

async function replace(
  tx: Transaction,
  table: string,
  column: string,
  eventId: number,
  ids: readonly number[] | undefined,
  isNew: boolean,
): Promise<void> {
  if (ids === undefined) return;
  if (!isNew) await tx.execute(`DELETE FROM ${table} WHERE event_id = ?`, [eventId]);
  await tx.insertMany(
    table,
    ids.map((id, position) => ({ event_id: eventId, [column]: id, position })),
  );
}

/** Categories and tags share a table, but each is a set of its own. */
async function writeTerms(
  tx: Transaction,
  eventId: number,
  { categories, tags }: EventLinkIds,
  isNew: boolean,
): Promise<void> {
  const sets = [
    ['tribe_events_cat', categories],
    ['post_tag', tags],
  ] as const;
  for (const [taxonomy, ids] of sets) {
    if (ids === undefined) continue;
    if (!isNew) {
      const ofTaxonomy = `SELECT id FROM ${TABLES.terms} WHERE taxonomy = ?`;
      await tx.execute(`DELETE FROM ${TABLES.eventTerms} WHERE event_id = ? AND term_id IN (${ofTaxonomy})`, [
        eventId,
        taxonomy,
      ]);
    }
    await tx.insertMany(
      TABLES.eventTerms,
      ids.map((term_id) => ({ event_id: eventId, term_id })),
    );
  }
}
