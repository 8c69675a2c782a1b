/** Regular expression source of one number with its separators (contract section 8, cost rule 1). */
const NUMBER_PATTERN = String.raw`(?:\d{1,3}(?:[ '\u00a0\u202f]\d{3}(?!\d))+|\d+)(?:[.,]\d+)*`;
const NUMBERS = new RegExp(NUMBER_PATTERN, 'gu');

/** Returns a number's value with `.` as decimal separator, or undefined (contract section 8, cost rule 1). */
export function numberValue(written: string): string | undefined {
  const bare = written.replace(/[^\d.,]/gu, '');
  const decimalAt = decimalSeparatorAt(bare);
  if (decimalAt === undefined) return bare.replace(/[.,]/gu, '');
  const whole = bare.slice(0, decimalAt);
  // The same character cannot be both separators of one number: `1.234,567.89`.
  if (whole.includes(bare.charAt(decimalAt))) return undefined;
  return `${whole.replace(/[.,]/gu, '')}.${bare.slice(decimalAt + 1)}`;
}

/** Returns the values of all numbers in a free text, in text order (contract section 8, cost rule 6). */
export function numbersIn(text: string): string[] {
  const written = text.match(NUMBERS) ?? [];
  return written.flatMap((number) => numberValue(number) ?? number.match(/\d+/gu) ?? []);
}

/** Compares two values digit by digit, because long numbers become equal as floats. */
export function compareValues(left: string, right: string): number {
  const a = canonical(left);
  const b = canonical(right);
  return a.whole.length - b.whole.length || compareText(a.whole, b.whole) || compareText(a.fraction, b.fraction);
}

/** Whether a value is zero: `0`, `0.00`. */
export function isZero(value: string): boolean {
  return !/[1-9]/u.test(value);
}

function decimalSeparatorAt(bare: string): number | undefined {
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

export type CurrencyPosition = 'prefix' | 'postfix';

/** `number` is as written, or the word Free, whose value is 0. Without a symbol, `symbol` and `position` are empty. */
export interface CostAmount {
  number: string;
  value: string;
  symbol: string;
  position: CurrencyPosition | '';
}

const SYMBOL = String.raw`\p{L}{0,3}\p{Sc}\p{L}{0,3}|\p{Lu}{3}|kr\.?|Kč|zł|Ft|lei|лв|руб\.?|Fr\.?|Rs\.?|R|RM|Rp`;
const AMOUNT = new RegExp(
  String.raw`^(?:(?<prefix>${SYMBOL})\s*)?(?<number>${NUMBER_PATTERN})(?:\s*(?<postfix>${SYMBOL}))?$`,
  'u',
);
const AMOUNT_SEPARATOR = /[-–—;]|,\s/u;

/** Returns the amounts of a cleaned entry, or undefined for free text (contract section 8, cost rules 2 and 3). */
export function amountsOf(entry: string): CostAmount[] | undefined {
  const amounts = entry.split(AMOUNT_SEPARATOR).map((piece) => amountOf(piece.trim()));
  return amounts.every((amount) => amount !== undefined) ? amounts : undefined;
}

/** Whether an amount is the word Free instead of a number (contract section 8, cost rule 3). */
export function isFreeWord(amount: CostAmount): boolean {
  return /^free$/iu.test(amount.number);
}

function amountOf(piece: string): CostAmount | undefined {
  if (/^free$/iu.test(piece)) return { number: piece, value: '0', symbol: '', position: '' };
  const { prefix, number, postfix } = AMOUNT.exec(piece)?.groups ?? {};
  if (number === undefined || (prefix !== undefined && postfix !== undefined)) return undefined;
  const value = numberValue(number);
  if (value === undefined) return undefined;
  if (prefix !== undefined) return { number, value, symbol: prefix, position: 'prefix' };
  if (postfix !== undefined) return { number, value, symbol: postfix, position: 'postfix' };
  return { number, value, symbol: '', position: '' };
}
