import type { Sql } from '../../database/sql/dialect.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { effectiveStatus } from '../../kernel/post-status.js';
import { eventLine } from '../lines/export-line.js';
import { eventsOfSlugs } from '../lines/export-query.js';
import type { RecordLine } from '../lines/read-lines.js';
import { canonical } from '../lines/line-key.js';

/**
 * The ids of events that are here as their lines tell them, by line: an export that goes back where it came from finds
 * its own. One that has changed since is another event, and so is one in the trash.
 */
export async function eventsAlike(
  sql: Sql,
  lines: readonly RecordLine[],
  nowUtc: UtcTime,
): Promise<Map<RecordLine, number>> {
  // What is in the trash may have the slug of another one.
  const bySlug = new Map(
    lines.filter(({ values }) => values.status !== 'trash').map((line) => [line.values.slug, line]),
  );
  const slugs = [...bySlug.keys()].filter((slug) => typeof slug === 'string');
  const found = new Map<RecordLine, number>();
  if (slugs.length === 0) return found;
  for (const event of await eventsOfSlugs(sql, slugs)) {
    const line = bySlug.get(event.slug);
    if (line !== undefined && canonical(eventLine(event, nowUtc)) === canonical(asOf(nowUtc, line.values)))
      found.set(line, event.id);
  }
  return found;
}

/** The line as it would be written now: what was to come may be published since. */
function asOf(nowUtc: UtcTime, values: RecordLine['values']): object {
  const { status, date_utc: date } = values;
  return status === 'future' && typeof date === 'string'
    ? { ...values, status: effectiveStatus(status, date, nowUtc) }
    : values;
}
