import {
  amountsOf,
  isFreeWord,
  type CostAmount,
  type CurrencyPosition,
  compareValues,
  isZero,
  numbersIn,
} from './cost-amount.js';
import { plainText } from './text/plain-text.js';
import { slugify } from './text/slug.js';

export const MAX_COST_ENTRIES = 50;
/** In code points, after `cleanCostEntry`. */
export const MAX_COST_ENTRY_LENGTH = 255;

const CURRENCY_CODES: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

/** A parsed cost, independent of the settings. Plain data, because it is stored as JSON. */
export interface Cost {
  /** The lowest amount and, if it differs, the highest. Responses show no others. */
  amounts: CostAmount[];
  /** The currency that all amounts share; both empty if there is none. */
  symbol: string;
  position: CurrencyPosition | '';
  texts: string[];
  /** The first part of `values`: slugs of texts, then `free`. */
  words: string[];
  /** The second part of `values`: numbers, ascending. */
  numbers: string[];
}

export interface CostPresentation {
  cost: string;
  cost_details: { currency_symbol: string; currency_code: string; currency_position: string; values: string[] };
}

interface Currency {
  symbol: string;
  position: CurrencyPosition;
}

/** Returns the entries of a sent cost, or undefined for a wrong type (contract section 8, cost; TXT-01). */
export function costEntries(input: unknown): string[] | undefined {
  if (input === null || input === '') return [];
  const entries = (Array.isArray(input) ? input : [input]).map(entryText);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Returns an entry as plain text with whitespace collapsed. A single no-break space stays (contract section 8, cost). */
export function cleanCostEntry(entry: string): string {
  return plainText(entry).replace(/\s{2,}/gu, ' ');
}

/** Parses the entries of a cost. Returns undefined if all are empty (contract section 8, cost rules 1 to 6). */
export function parseCost(entries: readonly string[]): Cost | undefined {
  const cleaned = entries.map(cleanCostEntry).filter((entry) => entry !== '');
  if (cleaned.length === 0) return undefined;
  const parsed = cleaned.map((entry) => ({ entry, amounts: amountsOf(entry) }));
  const texts = parsed.filter(({ amounts }) => amounts === undefined).map(({ entry }) => entry);
  const amounts = parsed.flatMap((one) => one.amounts ?? []);
  const currency = commonCurrency(amounts);
  return {
    amounts: priceRange(amounts, currency),
    symbol: currency?.symbol ?? '',
    position: currency?.position ?? '',
    texts,
    words: valueWords(texts, amounts),
    numbers: valueNumbers(texts, amounts),
  };
}

/** Returns the fields `cost` and `cost_details` of an event (contract section 8, cost rules 4 to 6). */
export function presentCost(cost: Cost | undefined, currency: Currency): CostPresentation {
  const shown = cost?.amounts.map((amount) => showAmount(amount, currency)) ?? [];
  return {
    cost: shown.length > 0 ? shown.join(' – ') : (cost?.texts.join(', ') ?? ''),
    cost_details: {
      currency_symbol: cost?.symbol ?? '',
      currency_code: '',
      currency_position: cost?.position ?? '',
      values: cost ? unique([...cost.words, ...cost.numbers]) : [],
    },
  };
}

/** Returns the offer for `json_ld`, or undefined without a number and without Free (contract section 8). */
export function offerOf(
  cost: Cost | undefined,
  currencyCode: string,
): { price: string; priceCurrency: string } | undefined {
  if (cost === undefined) return undefined;
  const lowest = cost.amounts[0];
  const prices = [...(lowest ? [lowest.value] : []), ...cost.numbers].sort(compareValues);
  const price = prices[0];
  if (price === undefined) return undefined;
  return { price: isZero(price) ? '0' : price, priceCurrency: currencyCodeOf(lowest?.symbol ?? '') ?? currencyCode };
}

function entryText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // contract 2.2: JSON numbers beyond the safe integers have already lost digits.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  return undefined;
}

function commonCurrency(amounts: CostAmount[]): Currency | undefined {
  const pairs = new Map<string, Currency>();
  for (const { symbol, position } of amounts) {
    if (position !== '') pairs.set(`${position} ${symbol}`, { symbol, position });
  }
  return pairs.size === 1 ? [...pairs.values()][0] : undefined;
}

function priceRange(amounts: CostAmount[], currency: Currency | undefined): CostAmount[] {
  const onlyWords = amounts.every(isFreeWord);
  const ascending = amounts.toSorted((a, b) => compareValues(a.value, b.value));
  const [lowest, highest] = [ascending[0], ascending.at(-1)];
  if (lowest === undefined || highest === undefined) return [];
  const ends = [lowest, highest].map((amount) => ({
    ...amount,
    ...currency,
    number: isZero(amount.value) && !onlyWords ? 'Free' : amount.number,
  }));
  return isSameAmount(lowest, highest, currency) ? ends.slice(0, 1) : ends;
}

function isSameAmount(a: CostAmount, b: CostAmount, currency: Currency | undefined): boolean {
  if (compareValues(a.value, b.value) !== 0) return false;
  // `$10, €10` are two prices. Zero is Free in every currency.
  return currency !== undefined || isZero(a.value) || (a.symbol === b.symbol && a.position === b.position);
}

function valueWords(texts: string[], amounts: CostAmount[]): string[] {
  const slugs = texts.filter((text) => !/\d/u.test(text)).map((text) => slugify(text));
  const free = amounts.some(isFreeWord) ? ['free'] : [];
  return unique([...slugs.filter((slug) => slug !== ''), ...free]);
}

function valueNumbers(texts: string[], amounts: CostAmount[]): string[] {
  const values = amounts.filter((amount) => !isFreeWord(amount)).map(({ value }) => value);
  return unique([...values, ...texts.flatMap(numbersIn)]).sort(compareValues);
}

function showAmount(amount: CostAmount, fallback: Currency): string {
  if (isZero(amount.value)) return amount.number;
  const { symbol, position } = amount.position === '' ? fallback : amount;
  return position === 'prefix' ? symbol + amount.number : amount.number + symbol;
}

function currencyCodeOf(symbol: string): string | undefined {
  return /^[A-Z]{3}$/u.test(symbol) ? symbol : CURRENCY_CODES.get(symbol);
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
