import { Database } from '../../src/database/database.js';
import { addSeconds } from '../../src/kernel/time/calendar-arithmetic.js';
import type { LinkedPostKind } from '../../src/linked-posts/linked-post.kind.js';
import { linkedPostValues } from '../../src/linked-posts/linked-post.draft.js';
import { ORGANIZER } from '../../src/organizers/organizer.kind.js';
import { VENUE } from '../../src/venues/venue.kind.js';
import type { TestApp } from './app.js';
import { insertEvents } from './rows.js';

/** How many records a calendar has. */
export interface Sizes {
  readonly events: number;
  /** Number of venues, and of organizers. */
  readonly linked: number;
}

const HOUR = 3_600;
/** First start of upcoming events, and of past events. The test clock stands at 2026-11-20. */
const UPCOMING = '2026-11-21 00:00:00';
const PAST = '2020-01-01 00:00:00';
/** Events per transaction. */
const BATCH = 2_000;
/** A prime number, so that titles and dates are not in the order of the ids. */
const STEP = 7_919;

/**
 * Fills a new calendar with the most expensive data for lists. All events are public, and nine of ten are upcoming. The
 * first venue and organizer have every upcoming event, the last ones every past event. The rest share upcoming ones.
 */
export async function fillCalendar(service: TestApp, { events, linked }: Sizes): Promise<void> {
  for (const kind of [VENUE, ORGANIZER]) await insertLinked(service, kind, linked);
  for (let first = 1; first <= events; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, events - first + 1) }, (_, index) => first + index);
    await insertEvents(service, numbers.map(eventValues));
    await service.app.get(Database).inTransaction(async (tx) => {
      for (const { linkTable, linkColumn } of [VENUE, ORGANIZER]) {
        const links = numbers.flatMap((event_id) =>
          linkedTo(event_id, linked).map((id, position) => ({ event_id, [linkColumn]: id, position })),
        );
        await tx.insertMany(linkTable, links);
      }
      tx.recordChange('event.updated', first, 0);
    });
  }
}

function isPast(n: number): boolean {
  return n % 10 === 0;
}

function eventValues(n: number) {
  const start_utc = addSeconds(isPast(n) ? PAST : UPCOMING, (n % 16_000) * HOUR);
  const moment = addSeconds('2025-01-01 00:00:00', ((n * STEP) % 500) * HOUR);
  return {
    title: `Evening number ${(n * STEP) % 997}`,
    start_utc,
    end_utc: addSeconds(start_utc, HOUR),
    date_utc: moment,
    modified_utc: moment,
  };
}

function linkedTo(n: number, linked: number): number[] {
  return isPast(n) ? [linked] : [1, 2 + (n % (linked - 2))];
}

async function insertLinked({ app, userIds }: TestApp, kind: LinkedPostKind, linked: number): Promise<void> {
  const rows = Array.from({ length: linked }, (_, index) => ({
    slug: `record-${index + 1}`,
    restore_slug: null,
    status: 'publish',
    trashed_from: null,
    public_from: '2025-01-01 00:00:00',
    author_id: userIds.adm,
    date_utc: '2025-01-01 00:00:00',
    modified_utc: '2025-01-01 00:00:00',
    revision: 1,
    image_id: null,
    ...linkedPostValues(kind, { [kind.nameField]: `Record ${index + 1}` }),
  }));
  await app.get(Database).inTransaction(async (tx) => {
    await tx.insertMany(kind.table, rows);
    tx.recordChange(`${kind.noun}.created`, 1, 0);
  });
}
