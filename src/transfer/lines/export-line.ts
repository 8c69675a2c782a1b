import { eventUid } from '../../kernel/event-uid.js';
import { toUtc, toWall, type UtcTime } from '../../kernel/time/calendar-time.js';
import { costEntriesOf } from './cost-entries.js';
import type { Cost } from '../../kernel/cost.js';
import { effectiveStatus } from '../../kernel/post-status.js';
import { plainValues } from './plain-columns.js';
import type { EventExport, PostExport, TermExport } from './export-query.js';

/**
 * A line of an export: the body of the POST that creates the record, with a few additional members. `record` is its kind.
 * Slugs identify records and logins identify users, because ids differ between calendars.
 */
export type ExportLine = { readonly record: RecordName } & Record<string, unknown>;
export type RecordName = 'category' | 'tag' | 'venue' | 'organizer' | 'event';

export function termLine(record: 'category' | 'tag', { slug, name, description, parent_slug }: TermExport): ExportLine {
  return { record, ...filled({ slug, name, description, parent_slug }) };
}

export function linkedPostLine(record: 'venue' | 'organizer', row: PostExport, nowUtc: UtcTime): ExportLine {
  const fields = filled(plainValues(record, row));
  return { record, slug: row.slug, [record]: row.title, ...postMembers(row, nowUtc), ...fields };
}

/** `instance`: the identity of the database, of which the uids of its events are made (ical 3). */
export function eventLine(row: EventExport, nowUtc: UtcTime, instance: string): ExportLine {
  return {
    record: 'event',
    slug: row.slug,
    title: row.title,
    uid: eventUid(row, instance),
    ...postMembers(row, nowUtc),
    ...filled({ password_hash: row.password_hash, parent_slug: row.parent_slug, line_key: row.line_key }),
    start_date: dateOf(row.start_local, row.start_utc, row.timezone),
    end_date: dateOf(row.end_local, row.end_utc, row.timezone),
    ...withoutFalse(filled(plainValues('event', row))),
    ...filled({
      cost: costOf(row),
      categories: row.categories.map(({ slug }) => slug),
      tags: row.tags.map(({ slug }) => slug),
      venue: row.venues.map(({ slug, name }) => ({ slug, venue: name })),
      organizer: row.organizers.map(({ slug, name }) => ({ slug, organizer: name })),
    }),
    ...(row.children > 0 ? { has_children: true } : {}),
  };
}

/** Whether the entries in the line contain the complete stored cost. */
export function isCostExact({ cost }: EventExport): boolean {
  return cost === '' || costEntriesOf(JSON.parse(cost) as Cost).isExact;
}

function postMembers(row: PostExport, nowUtc: UtcTime) {
  const { author_login, date_utc, description, image } = row;
  const status = effectiveStatus(row.status, date_utc, nowUtc);
  return { status, ...filled({ author_login }), date_utc, ...filled({ description, image }), ...trashMembers(row) };
}

/** Adds the stored slug of a record in the trash, which distinguishes equal records. Children name their parent by it. */
function trashMembers({ status, stored_slug: stored }: PostExport) {
  return status === 'trash' ? { trash_slug: stored } : {};
}

/** Returns the wall time, or the instant if the wall time occurs twice. Ignores later changes of zone rules. */
function dateOf(wall: string, utc: string, zone: string): string {
  const isInstantNeeded = toUtc(wall, zone) !== utc && toWall(utc, zone) === wall;
  return isInstantNeeded ? `${utc.replace(' ', 'T')}Z` : wall;
}

function costOf({ cost }: EventExport): string | readonly string[] {
  if (cost === '') return '';
  const { entries } = costEntriesOf(JSON.parse(cost) as Cost);
  return entries.length === 1 ? (entries[0] as string) : entries;
}

/** Removes false values, the default of an event's flags. */
function withoutFalse(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== false));
}

/** Removes empty members, because an absent member means the same. */
function filled(members: Record<string, unknown>): Record<string, unknown> {
  const isFilled = (value: unknown) =>
    value !== '' && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value)));
}
