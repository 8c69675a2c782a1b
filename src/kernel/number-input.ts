/** What looks like a number is none of ours where counting by ones stops being exact, or where there is no such number. */

/** The integer that decimal digits name, an optional minus before them; undefined: they are none, or beyond ±(2^53 − 1). */
export function integerOf(digits: string): number | undefined {
  const number = /^-?\d+$/.test(digits) ? Number(digits) : NaN;
  return isInteger(number) ? number : undefined;
}

/** The number that plain decimal text names, `-4.5`; undefined: it is none, or too large to be finite. */
export function decimalOf(text: string): number | undefined {
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
  return isFiniteNumber(number) ? number : undefined;
}

/** Whether it is an integer within ±(2^53 − 1), as ids, counts and pages are. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Whether it is a number at all: JSON's `1e400` is read as Infinity. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
