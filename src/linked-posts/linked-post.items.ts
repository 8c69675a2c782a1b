import { isInteger } from '../kernel/number-input.js';
import { MAX_ITEMS, toInteger, toList } from '../platform/http/fields/coercion.js';

/** A venue or organizer in an event's request: an id, or the data of a new record. */
export type LinkItem =
  | { readonly id: number }
  | {
      readonly data: Record<string, unknown>;
      /** The index in the sent list. undefined: a single object was sent. */
      readonly index?: number;
    };

/** Parses the forms of contract 10.5, "Linking". Skips empty items. undefined: the form is invalid. */
export function readLinkItems(value: unknown): LinkItem[] | undefined {
  const isList = Array.isArray(value);
  const sent: readonly unknown[] = isList || typeof value === 'string' ? (toList(value) as unknown[]) : [value];
  // Lists that are too long are truncated here and rejected later, so that their empty items must count.
  const isComplete = sent.length <= MAX_ITEMS;
  const items = sent.map((item, index) =>
    isComplete && isEmptyItem(item) ? [] : readItem(item, isList ? index : undefined),
  );
  return items.every((item) => item !== undefined) ? items.flat() : undefined;
}

function readItem(item: unknown, index: number | undefined): LinkItem[] | undefined {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return readObject({ ...item }, index);
  const id = toInteger(item);
  return isInteger(id) ? [{ id }] : undefined;
}

/** Ignores the other members of an object with an id. */
function readObject(data: Record<string, unknown>, index: number | undefined): LinkItem[] | undefined {
  if (isEmptyItem(data.id)) return [{ data, index }];
  const id = toInteger(data.id);
  return isInteger(id) ? [{ id }] : undefined;
}

function isEmptyItem(value: unknown): boolean {
  if (typeof value === 'string') return /^0*$/.test(value.trim());
  return value === undefined || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}
