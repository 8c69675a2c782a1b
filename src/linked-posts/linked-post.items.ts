import { isInteger } from '../kernel/number-input.js';
import { MAX_ITEMS, toInteger, toList } from '../platform/http/fields/coercion.js';

/** What an event names as its venue or organizer: an id, or the data of a record. */
export type LinkItem =
  | { readonly id: number }
  | {
      readonly data: Record<string, unknown>;
      /** Its place in the list that was sent; undefined where it stood alone. */
      readonly index?: number;
    };

/** Reads the forms of contract 10.5, "Linking"; undefined: it is none of them. Whatever is empty is skipped. */
export function readLinkItems(value: unknown): LinkItem[] | undefined {
  const isList = Array.isArray(value);
  const sent: readonly unknown[] = isList || typeof value === 'string' ? (toList(value) as unknown[]) : [value];
  // Of a list that is too long the rest is not known: it is refused, whatever the items are.
  const isComplete = sent.length <= MAX_ITEMS;
  const items = sent.map((item, index) =>
    isComplete && isNothing(item) ? [] : readItem(item, isList ? index : undefined),
  );
  return items.every((item) => item !== undefined) ? items.flat() : undefined;
}

function readItem(item: unknown, index: number | undefined): LinkItem[] | undefined {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return readObject({ ...item }, index);
  const id = toInteger(item);
  return isInteger(id) ? [{ id }] : undefined;
}

/** Of an object with an id the other members do not count. */
function readObject(data: Record<string, unknown>, index: number | undefined): LinkItem[] | undefined {
  if (isNothing(data.id)) return [{ data, index }];
  const id = toInteger(data.id);
  return isInteger(id) ? [{ id }] : undefined;
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return /^0*$/.test(value.trim());
  return value === undefined || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}
