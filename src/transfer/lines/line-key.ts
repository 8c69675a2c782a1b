import { createHash } from 'node:crypto';

/** How keys of exported lines begin; others are hexadecimal. An export carries the others only (`line_key`). */
export const MADE_BY_EXPORT = 'exported:';

/**
 * What a line of an import is known by: its `external_id` if it has one, else all of its content, whatever the order of
 * its members. The same line is never imported twice.
 */
export function lineKey(values: Record<string, unknown>): string {
  const { external_id: externalId } = values;
  const isNamed = typeof externalId === 'number' || (typeof externalId === 'string' && externalId.trim() !== '');
  const text = isNamed ? `external_id ${externalId}` : canonical(values);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * What the line of an exported event is known by: that of the imported line which made it, so that this one is known as
 * well wherever the event goes, else its content.
 */
export function exportedKey(values: Record<string, unknown>): string {
  const { line_key: key } = values;
  if (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)) return key;
  return `${MADE_BY_EXPORT}${createHash('sha256').update(canonical(values)).digest('base64url')}`;
}

/** The same text for the same content, whatever the order of its members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
