import type { Counter } from '../../database/sql/counters.js';
import type { SqlValue } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { SCHEDULED_TERMS, TERM_COUNTS } from '../../terms/term.counts.js';
import { dayOf } from './day-ranges.js';
import type { EventRow } from '../event.entity.js';
import { type EventLinkIds, TERM_NAMES, TERMS } from '../event.link-kinds.js';

/** What decides where an event is counted. */
type Counted = Pick<EventRow, 'status' | 'hide_from_listings' | 'start_utc' | 'end_utc'>;

/** By listing and days: the events that are published or scheduled, and those of them that are stored as scheduled. */
const DAYS = ['hide_from_listings', 'start_day', 'end_day'];
export const DAY_COUNTS: Counter = { table: TABLES.eventDays, key: DAYS };
export const SCHEDULED_DAYS: Counter = { table: TABLES.scheduledDays, key: DAYS };

/** Counts a new event. */
export function countEvent(tx: Transaction, event: Counted, links: EventLinkIds): void {
  add(tx, event, termsIn(links), 1);
}

/** Counts an event no more; its links are still there. */
export async function discountEvent(tx: Transaction, event: EventRow): Promise<void> {
  if (!isCounted(event)) return;
  const terms = await termsOf(tx, event.id);
  add(tx, event, idsOf(terms), -1);
}

/** Counts a changed event as it will be; `links`: those that will be replaced, and still are as they were. */
export async function recountEvent(
  tx: Transaction,
  before: EventRow,
  after: Counted,
  links: EventLinkIds,
): Promise<void> {
  const replaced = TERM_NAMES.filter((name) => links[name] !== undefined);
  // Most updates move no count: they need not know the terms.
  if (replaced.length === 0 && placeOf(before) === placeOf(after)) return;
  const terms = await termsOf(tx, before.id);
  const kept = terms.filter(({ taxonomy }) => !replaced.some((name) => TERMS[name].taxonomy === taxonomy));
  add(tx, before, idsOf(terms), -1);
  add(tx, after, [...idsOf(kept), ...termsIn(links)], 1);
}

/** Counts events that are stored as scheduled no more, but as published. Nobody commits meanwhile. */
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

/** Where an event is counted, as a text to compare. */
function placeOf(event: Counted): string {
  return isCounted(event) ? [event.status, ...daysOf(event)].join() : '';
}

/** The key of the counts by days. */
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
