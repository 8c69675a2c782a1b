import { NUMBER_PATTERN, numberValue } from './cost-number.js';

export type CurrencyPosition = 'prefix' | 'postfix';

/** `number` is as written (or the word Free, whose value is 0); symbol and position are empty without a symbol. */
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
const CUT = /[-–—;]|,\s/u;

/** The amounts of one cleaned entry, or undefined if it is free text: contract section 8, cost rules 2 and 3. */
export function amountsOf(entry: string): CostAmount[] | undefined {
  const amounts = entry.split(CUT).map((piece) => amountOf(piece.trim()));
  return amounts.every((amount) => amount !== undefined) ? amounts : undefined;
}

/** Whether an amount is the word Free and not a number: contract section 8, cost rule 3. */
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
