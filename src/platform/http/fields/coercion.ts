import { decimalOf, integerOf } from '../../../kernel/number-input.js';

/** How sent values get their types (contract 2.2). What does not fit is handed back unchanged. */

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

/** JSON numbers become text as JavaScript prints them; beyond the safe integers they are no longer what was sent. */
export function toText(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
}

/** Longer lists are refused (contract section 3, "Longest values"). */
export const MOST_ITEMS = 1000;

/** Items of a list: an array whole, text cut at commas (what is behind one item too many is not looked at), one scalar. */
export function toList(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value === 'number') return [value];
  if (typeof value !== 'string') return value;
  const items: string[] = [];
  for (let start = 0; start <= value.length && items.length <= MOST_ITEMS;) {
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
