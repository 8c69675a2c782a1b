import { Database } from '../../src/database/database.js';
import { TABLES } from '../../src/database/sql/tables.js';
import type { EventRow } from '../../src/events/event.entity.js';
import { sortKey } from '../../src/kernel/text/case-folding.js';
import { publicFrom } from '../../src/kernel/post-status.js';
import type { LinkedPostKind } from '../../src/linked-posts/linked-post.kind.js';
import type { TestApp } from './app.js';

type Values = Partial<EventRow> & { terms?: readonly number[] };

/** Inserts an event directly as a database row, with its terms, and returns its id. */
export async function insertEvent(service: TestApp, { terms = [], ...values }: Values = {}): Promise<number> {
  const [id] = await insertEvents(service, [{ terms, ...values }]);
  return id!;
}

/** Inserts many events in one transaction and returns their ids. */
export async function insertEvents(service: TestApp, events: readonly Values[]): Promise<number[]> {
  const database = service.app.get(Database);
  return database.inTransaction(async (tx) => {
    const [{ last } = { last: 0 }] = await tx.query<{ last: number | null }>(
      `SELECT max(id) AS last FROM ${TABLES.events}`,
    );
    const ids = events.map(({ id }, index) => id ?? Number(last) + 1 + index);
    const rows = events.map(({ terms: _, ...values }, index) => ({
      id: ids[index]!,
      ...eventRow(service, ids[index]!, values),
    }));
    await tx.insertMany(TABLES.events, rows);
    await tx.insertMany(
      TABLES.eventTerms,
      events.flatMap(({ terms = [] }, index) => terms.map((term_id) => ({ event_id: ids[index]!, term_id }))),
    );
    for (const { id } of rows) tx.recordChange('event.created', id, 0);
    return ids;
  });
}

function eventRow({ userIds }: TestApp, id: number, values: Partial<EventRow>): Omit<EventRow, 'id'> {
  const { title = 'Event', status = 'publish', date_utc = '2026-11-01 00:00:00' } = values;
  return {
    slug: `event-row-${id}`,
    restore_slug: null,
    title,
    title_key: sortKey(title),
    search_text: sortKey(title),
    description: '',
    status,
    trashed_from: status === 'trash' ? 'publish' : null,
    public_from: publicFrom(status, date_utc),
    author_id: userIds.adm,
    date_utc,
    modified_utc: date_utc,
    revision: 1,
    image_id: null,
    excerpt: '',
    start_local: '2027-03-10 10:00:00',
    end_local: '2027-03-10 12:00:00',
    start_utc: '2027-03-10 10:00:00',
    end_utc: '2027-03-10 12:00:00',
    timezone: 'UTC',
    all_day: 0,
    cost: '',
    website: '',
    show_map: 0,
    show_map_link: 0,
    hide_from_listings: 0,
    sticky: 0,
    featured: 0,
    ticketed: 0,
    post_parent: 0,
    password_hash: null,
    uid: null,
    ...values,
  };
}

/** Links an event to venues or organizers, in the order given. */
export async function linkEvent(
  { app }: TestApp,
  eventId: number,
  { linkTable, linkColumn }: LinkedPostKind,
  ids: readonly number[],
): Promise<void> {
  const rows = ids.map((id, position) => ({ event_id: eventId, [linkColumn]: id, position }));
  await app.get(Database).inTransaction(async (tx) => {
    await tx.insertMany(linkTable, rows);
    tx.recordChange('event.updated', eventId, 0);
  });
}
