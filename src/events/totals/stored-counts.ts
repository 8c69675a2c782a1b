import type { Counter } from '../../database/sql/counters.js';
import type { SqlValue } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { SCHEDULED_TERMS, TERM_COUNTS } from '../../terms/term.counts.js';
import { dayOf } from './day-ranges.js';
import type { EventRow } from '../event.entity.js';
import { type EventLinkIds, TERM_NAMES, TERMS } from '../event.link-kinds.js';

/** The columns that determine the counts of an event. */
type Counted = Pick<EventRow, 'status' | 'hide_from_listings' | 'start_utc' | 'end_utc'>;

const DAY_KEY = ['hide_from_listings', 'start_day', 'end_day'];
/** The counts of published and scheduled events by day. */
export const DAY_COUNTS: Counter = { table: TABLES.eventDays, key: DAY_KEY };
/** The counts of the events among them that are stored as scheduled. */
export const SCHEDULED_DAYS: Counter = { table: TABLES.scheduledDays, key: DAY_KEY };

/** Adds a new event to the counts. */
export function countEvent(tx: Transaction, event: Counted, links: EventLinkIds): void {
  add(tx, event, termsIn(links), 1);
}

/** Subtracts an event from the counts. Call before deleting its links. */
export async function uncountEvent(tx: Transaction, event: EventRow): Promise<void> {
  if (!isCounted(event)) return;
  const terms = await termsOf(tx, event.id);
  add(tx, event, idsOf(terms), -1);
}

/** Moves a changed event from its old counts to the new ones. Call before replacing `links`. */
export async function recountEvent(
  tx: Transaction,
  before: EventRow,
  after: Counted,
  links: EventLinkIds,
): Promise<void> {
  const replaced = TERM_NAMES.filter((name) => links[name] !== undefined);
  // Most updates change no count and need no query for the terms.
  if (replaced.length === 0 && countKeyOf(before) === countKeyOf(after)) return;
  const terms = await termsOf(tx, before.id);
  const kept = terms.filter(({ taxonomy }) => !replaced.some((name) => TERMS[name].taxonomy === taxonomy));
  add(tx, before, idsOf(terms), -1);
  add(tx, after, [...idsOf(kept), ...termsIn(links)], 1);
}

/** Subtracts newly published events from the scheduled counts. The lock keeps other transactions from committing. */
export async function countPublished(tx: Transaction, events: readonly EventRow[]): Promise<void> {
  await tx.lockVersion();
  const { sql, params } = isOneOf(
    'event_id',
    events.map(({ id }) => id),
  );
  const links = await tx.query<{ term_id: number }>(`SELECT term_id FROM ${TABLES.eventTerms} WHERE ${sql}`, params);
  for (const { term_id } of links) tx.count(SCHEDULED_TERMS, [term_id], -1);
  for (const event of events) tx.count(SCHEDULED_DAYS, daysOf(event), -1);
}

function add(tx: Transaction, event: Counted, termIds: readonly number[], by: 1 | -1): void {
  if (!isCounted(event)) return;
  const isScheduled = event.status === 'future';
  for (const id of termIds) {
    tx.count(TERM_COUNTS, [id], by);
    if (isScheduled) tx.count(SCHEDULED_TERMS, [id], by);
  }
  tx.count(DAY_COUNTS, daysOf(event), by);
  if (isScheduled) tx.count(SCHEDULED_DAYS, daysOf(event), by);
}

function isCounted({ status }: Counted): boolean {
  return status === 'publish' || status === 'future';
}

/** Returns the keys of an event's counts as one text to compare. */
function countKeyOf(event: Counted): string {
  return isCounted(event) ? [event.status, ...daysOf(event)].join() : '';
}

/** Returns the key of the counts by day. */
function daysOf({ hide_from_listings, start_utc, end_utc }: Counted): SqlValue[] {
  return [hide_from_listings, dayOf(start_utc), dayOf(end_utc)];
}

interface CarriedTerm {
  readonly id: number;
  readonly taxonomy: string;
}

function termsOf(tx: Transaction, eventId: number): Promise<CarriedTerm[]> {
  return tx.query<CarriedTerm>(
    `SELECT t.id, t.taxonomy FROM ${TABLES.eventTerms} l JOIN ${TABLES.terms} t ON t.id = l.term_id WHERE l.event_id = ?`,
    [eventId],
  );
}

function idsOf(terms: readonly CarriedTerm[]): number[] {
  return terms.map(({ id }) => id);
}

function termsIn(links: EventLinkIds): number[] {
  return TERM_NAMES.flatMap((name) => links[name] ?? []);
}
