import { createHash } from 'node:crypto';

/** The prefix of the keys of exported lines. Other keys are hexadecimal, and only these are exported (`line_key`). */
export const EXPORTED_KEY_PREFIX = 'exported:';

/**
 * Returns the key by which an import recognizes a line, so that it imports no line twice. The key is made of `external_id`
 * if there is one, else of the content, regardless of the order of members.
 */
export function lineKey(values: Record<string, unknown>): string {
  const { external_id: externalId } = values;
  const hasId = typeof externalId === 'number' || (typeof externalId === 'string' && externalId.trim() !== '');
  const text = hasId ? `external_id ${externalId}` : canonical(values);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Returns the key of an exported event's line: the key of the line that the event was imported from, so that importing that
 * line adds no second event, else a key made of the content.
 */
export function exportedKey(values: Record<string, unknown>): string {
  // Without the uid, which exports of earlier versions do not have.
  const { line_key: key, uid: _, ...content } = values;
  if (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)) return key;
  if (key !== undefined) Object.assign(content, { line_key: key });
  return `${EXPORTED_KEY_PREFIX}${createHash('sha256').update(canonical(content)).digest('base64url')}`;
}

/** Returns the same JSON for the same content, regardless of the order of members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
