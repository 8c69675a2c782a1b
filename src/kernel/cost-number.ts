/** Source of a pattern for one number with its signs, inside a text: contract section 8, cost rule 1. */
export const NUMBER_PATTERN = String.raw`(?:\d{1,3}(?:[ '\u00a0\u202f]\d{3}(?!\d))+|\d+)(?:[.,]\d+)*`;
const NUMBERS = new RegExp(NUMBER_PATTERN, 'gu');

/** The value of a written number, `.` as decimal sign and no thousands signs: contract section 8, cost rule 1. */
export function numberValue(written: string): string | undefined {
  const bare = written.replace(/[^\d.,]/gu, '');
  const decimalAt = decimalSignAt(bare);
  if (decimalAt === undefined) return bare.replace(/[.,]/gu, '');
  const whole = bare.slice(0, decimalAt);
  // The decimal sign cannot group thousands in the same number: `1.234,567.89`.
  if (whole.includes(bare.charAt(decimalAt))) return undefined;
  return `${whole.replace(/[.,]/gu, '')}.${bare.slice(decimalAt + 1)}`;
}

/** The values of all numbers inside a free text, in its order: contract section 8, cost rule 6. */
export function numbersIn(text: string): string[] {
  const written = text.match(NUMBERS) ?? [];
  return written.flatMap((number) => numberValue(number) ?? number.match(/\d+/gu) ?? []);
}

/** Numeric order of two values, digit by digit: as floats long numbers would fall together. */
export function compareValues(left: string, right: string): number {
  const a = canonical(left);
  const b = canonical(right);
  return a.whole.length - b.whole.length || compareText(a.whole, b.whole) || compareText(a.fraction, b.fraction);
}

/** Whether a value is zero, however it is written: `0`, `0.00`. */
export function isZero(value: string): boolean {
  return !/[1-9]/u.test(value);
}

function decimalSignAt(bare: string): number | undefined {
  const dot = bare.lastIndexOf('.');
  const comma = bare.lastIndexOf(',');
  const last = Math.max(dot, comma);
  if (last === -1) return undefined;
  if (dot !== -1 && comma !== -1) return last;
  const repeated = bare.indexOf(bare.charAt(last)) !== last;
  return repeated || /^[1-9]\d{0,2},\d{3}$/u.test(bare) ? undefined : last;
}

function canonical(value: string): { whole: string; fraction: string } {
  const [whole = '', fraction = ''] = value.split('.');
  return { whole: whole.replace(/^0+/u, ''), fraction };
}

function compareText(a: string, b: string): number {
  const width = Math.max(a.length, b.length);
  const [left, right] = [a.padEnd(width, '0'), b.padEnd(width, '0')];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
