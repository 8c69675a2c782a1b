import { createHash } from 'node:crypto';

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

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
