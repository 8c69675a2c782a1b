const SUFFIX = '@kalends';

/** What the uid of an event is made of. */
interface IdentifiedEvent {
  readonly id: number;
  /** The uid that the event came with. null: it was made here. */
  readonly uid: string | null;
}

/**
 * Returns the identity of an event in calendar programs (ical 3). It stays the same through every update, and through
 * changes of the host. `instance`: the identity of the database.
 */
export function eventUid({ id, uid }: IdentifiedEvent, instance: string): string {
  return uid ?? `${id}-${instance}${SUFFIX}`;
}

/** Returns the id in a uid that was made by a database, or undefined for the uids of others. */
export function idInUid(uid: string, instance: string): number | undefined {
  const ending = `-${instance}${SUFFIX}`;
  if (!uid.endsWith(ending)) return undefined;
  const id = uid.slice(0, -ending.length);
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}

/** The most characters of a uid, in code points. */
export const MAX_UID_LENGTH = 255;

/** Whether a text can be a uid: not empty, not too long, one line. */
export function isUid(text: string): boolean {
  return /^[^\p{Cc}]+$/u.test(text) && text.trim() !== '' && Array.from(text).length <= MAX_UID_LENGTH;
}
