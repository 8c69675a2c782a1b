/** Parses decimal digits with an optional minus. Returns undefined for other text and beyond ±(2^53 − 1). */
export function integerOf(digits: string): number | undefined {
  const number = /^-?\d+$/.test(digits) ? Number(digits) : NaN;
  return isInteger(number) ? number : undefined;
}

/** Parses a plain decimal number, `-4.5`. Returns undefined for other text and for numbers that are not finite. */
export function decimalOf(text: string): number | undefined {
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
  return isFiniteNumber(number) ? number : undefined;
}

/** Whether a value is an integer within ±(2^53 − 1). Beyond that, JavaScript numbers are not exact. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Whether a value is a finite number. `JSON.parse` reads `1e400` as Infinity. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
