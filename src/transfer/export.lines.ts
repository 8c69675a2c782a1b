import { toUtc, toWall, type UtcTime } from '../kernel/calendar-time.js';
import { costEntriesOf } from '../kernel/cost-entries.js';
import type { Cost } from '../kernel/cost.js';
import { effectiveStatus } from '../kernel/post-status.js';
import type { EventExport, PostExport, TermExport, VenueExport } from './export.rows.js';

/**
 * A line of an export: a body of the POST that creates the record, with a few members besides. `record` says what the
 * line is; records are named by their slugs, users by their logins.
 */
export type ExportLine = { readonly record: RecordName } & Record<string, unknown>;
export type RecordName = 'category' | 'tag' | 'venue' | 'organizer' | 'event';

export function termLine(record: 'category' | 'tag', { slug, name, description, parent_slug }: TermExport): ExportLine {
  return { record, ...filled({ slug, name, description, parent_slug }) };
}

const TEXTS = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website', 'email'];

export function linkedPostLine(record: 'venue' | 'organizer', row: PostExport, nowUtc: UtcTime): ExportLine {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, (row as unknown as Record<string, unknown>)[name]]));
  const place = record === 'venue' ? placeOf(row as VenueExport) : {};
  return { record, slug: row.slug, [record]: row.title, ...postMembers(row, nowUtc), ...filled(texts), ...place };
}

export function eventLine(row: EventExport, nowUtc: UtcTime): ExportLine {
  return {
    record: 'event',
    slug: row.slug,
    title: row.title,
    ...postMembers(row, nowUtc),
    ...filled({ excerpt: row.excerpt, password_hash: row.password_hash, parent_slug: row.parent_slug }),
    start_date: dateOf(row.start_local, row.start_utc, row.timezone),
    end_date: dateOf(row.end_local, row.end_utc, row.timezone),
    timezone: row.timezone,
    ...filled({ cost: costOf(row), website: row.website }),
    ...raised(row),
    ...filled({
      categories: row.categories.map(({ slug }) => slug),
      tags: row.tags.map(({ slug }) => slug),
      venue: row.venues.map(({ slug, name }) => ({ slug, venue: name })),
      organizer: row.organizers.map(({ slug, name }) => ({ slug, organizer: name })),
    }),
    ...(row.children > 0 ? parentMembers(row) : {}),
  };
}

/** What children name their parent by is its slug, or if it is in the trash `trash_slug`: others may have its slug. */
function parentMembers({ slug, stored_slug: stored }: EventExport) {
  return { has_children: true, ...(stored === slug ? {} : { trash_slug: stored }) };
}

/** Whether all of a stored cost is in the entries of its line. */
export function isCostWhole({ cost }: EventExport): boolean {
  return cost === '' || costEntriesOf(JSON.parse(cost) as Cost).isExact;
}

function postMembers(row: PostExport, nowUtc: UtcTime) {
  const { author_login, date_utc, description, image } = row;
  const status = effectiveStatus(row.status, date_utc, nowUtc);
  return { status, ...filled({ author_login }), date_utc, ...filled({ description, image }) };
}

function placeOf(row: VenueExport & { geo_lng?: number | null }) {
  const { geo_lat, geo_lng } = row;
  const flags = { show_map: row.show_map === 1, show_map_link: row.show_map_link === 1 };
  return geo_lat === null ? flags : { ...flags, geo_lat, geo_lng };
}

/** The wall time, or where that is shown twice the instant. A wall time whose zone has got other rules since stays. */
function dateOf(wall: string, utc: string, zone: string): string {
  const isInstantNeeded = toUtc(wall, zone) !== utc && toWall(utc, zone) === wall;
  return isInstantNeeded ? `${utc.replace(' ', 'T')}Z` : wall;
}

function costOf({ cost }: EventExport): string | readonly string[] {
  if (cost === '') return '';
  const { entries } = costEntriesOf(JSON.parse(cost) as Cost);
  return entries.length === 1 ? (entries[0] as string) : entries;
}

const FLAGS = [
  'all_day',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
] as const satisfies readonly (keyof EventExport)[];

/** Of an event's flags false is what is assumed. */
function raised(row: EventExport): Record<string, true> {
  return Object.fromEntries(FLAGS.filter((name) => row[name] === 1).map((name) => [name, true]));
}

/** What is empty is left out: that is what an absent member means. */
function filled(members: Record<string, unknown>): Record<string, unknown> {
  const isFilled = (value: unknown) =>
    value !== '' && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value)));
}
