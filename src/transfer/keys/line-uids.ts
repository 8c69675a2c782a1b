import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import { apiError } from '../../errors/api-error.js';
import { idInUid, isUid, MAX_UID_LENGTH } from '../../kernel/event-uid.js';
import { isOneOf } from '../../kernel/sql-condition.js';

/** A line with the identity that its event has in calendar programs. */
interface IdentifiedLine {
  readonly draft: { readonly uid?: string };
}

/** Returns the `uid` of a line. Throws if it cannot be one. */
export function uidOf({ uid }: Record<string, unknown>): string | undefined {
  if (uid === undefined || (typeof uid === 'string' && isUid(uid))) return uid;
  const text = `uid is not a text of 1 to ${MAX_UID_LENGTH} characters in one line.`;
  throw apiError('rest_invalid_param', { params: { names: 'uid' }, data: { params: { uid: text } } });
}

/** Parts lines whose uid is free from those whose uid another event, or an earlier line, has already (ical 3). */
export async function partByUid<Line extends IdentifiedLine>(
  sql: Sql,
  lines: readonly Line[],
  instance: string,
): Promise<{ free: Line[]; taken: Line[] }> {
  const uids = lines.map(({ draft: { uid } }) => uid).filter((uid) => uid !== undefined);
  const known = uids.length === 0 ? new Set<string>() : await storedUids(sql, uids, instance);
  const parts: { free: Line[]; taken: Line[] } = { free: [], taken: [] };
  for (const line of lines) {
    const { uid } = line.draft;
    parts[uid !== undefined && known.has(uid) ? 'taken' : 'free'].push(line);
    if (uid !== undefined) known.add(uid);
  }
  return parts;
}

/** Returns those of the uids that events have: stored ones, and ones that the database makes of ids. */
async function storedUids(sql: Sql, uids: readonly string[], instance: string): Promise<Set<string>> {
  const stored = isOneOf('uid', uids);
  const rows = await sql.query<{ uid: string }>(`SELECT uid FROM ${TABLES.events} WHERE ${stored.sql}`, stored.params);
  const own = new Map(uids.map((uid) => [idInUid(uid, instance), uid]));
  const ids = [...own.keys()].filter((id) => id !== undefined);
  const made = isOneOf('id', ids);
  const events =
    ids.length === 0
      ? []
      : await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.events} WHERE ${made.sql}`, made.params);
  return new Set([...rows.map(({ uid }) => uid), ...events.map(({ id }) => own.get(id)!)]);
}
