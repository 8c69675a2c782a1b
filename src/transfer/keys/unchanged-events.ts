import type { Sql } from '../../database/sql/dialect.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { effectiveStatus } from '../../kernel/post-status.js';
import { eventLine } from '../lines/export-line.js';
import { eventsOfSlugs } from '../lines/export-query.js';
import type { RecordLine } from '../lines/read-lines.js';
import { canonical } from '../lines/line-key.js';

/**
 * Returns the ids of events that equal their lines, by line, so that importing an export where it came from adds nothing.
 * An event that was changed or trashed since counts as another event.
 */
export async function findUnchangedEvents(
  sql: Sql,
  lines: readonly RecordLine[],
  nowUtc: UtcTime,
): Promise<Map<RecordLine, number>> {
  // Skips lines of events in the trash, because another event may have their slug.
  const bySlug = new Map(
    lines.filter(({ values }) => values.status !== 'trash').map((line) => [line.values.slug, line]),
  );
  const slugs = [...bySlug.keys()].filter((slug) => typeof slug === 'string');
  const found = new Map<RecordLine, number>();
  if (slugs.length === 0) return found;
  for (const event of await eventsOfSlugs(sql, slugs)) {
    const line = bySlug.get(event.slug);
    if (line === undefined) continue;
    const { uid: _, ...content } = eventLine(event, nowUtc, '');
    if (canonical(content) === canonical(asOf(nowUtc, line.values))) found.set(line, event.id);
  }
  return found;
}

/**
 * Returns the line as an export would write it now, because a scheduled event may have become public since. Without its
 * uid, which exports of earlier versions do not have.
 */
function asOf(nowUtc: UtcTime, { uid: _, ...values }: RecordLine['values']): object {
  const { status, date_utc: date } = values;
  return status === 'future' && typeof date === 'string'
    ? { ...values, status: effectiveStatus(status, date, nowUtc) }
    : values;
}
