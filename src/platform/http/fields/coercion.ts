import { decimalOf, integerOf } from '../../../kernel/number-input.js';

/* Coercion of sent values (contract 2.2). Unsuitable values are returned unchanged; the checks reject them. */

export function toInteger(value: unknown): unknown {
  return typeof value === 'string' ? (integerOf(value.trim()) ?? value) : value;
}

export function toDouble(value: unknown): unknown {
  return typeof value === 'string' ? (decimalOf(value.trim()) ?? value) : value;
}

const BOOLEANS: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

export function toBoolean(value: unknown): unknown {
  return isScalar(value) ? (BOOLEANS[String(value).trim().toLowerCase()] ?? value) : value;
}

/** Converts JSON numbers to text, except beyond the safe integers, where digits are lost already. */
export function toText(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
}

/** Longer lists are rejected (contract section 3, "Longest values"). */
export const MAX_ITEMS = 1000;

/** Returns the items of an array, a CSV text or a number. Stops parsing text at the first item above the limit. */
export function toList(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value === 'number') return [value];
  if (typeof value !== 'string') return value;
  const items: string[] = [];
  for (let start = 0; start <= value.length && items.length <= MAX_ITEMS;) {
    const comma = value.indexOf(',', start);
    const end = comma === -1 ? value.length : comma;
    const item = value.slice(start, end).trim();
    if (item !== '') items.push(item);
    start = end + 1;
  }
  return items;
}

export function toWord(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
