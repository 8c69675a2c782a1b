import { amountsOf, isFreeWord, type CostAmount, type CurrencyPosition } from './cost-amount.js';
import { compareValues, isZero, numbersIn } from './cost-amount.js';
import { plainText } from './text/plain-text.js';
import { slugify } from './text/slug.js';

export const MAX_COST_ENTRIES = 50;
/** In code points, of an entry made clean by cleanCostEntry. */
export const MAX_COST_ENTRY_LENGTH = 255;

const CODES: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

/** What a cost means whatever the settings say; plain data, since it is stored as JSON. */
export interface Cost {
  /** The lowest amount and, if it differs, the highest: no others are ever shown. */
  amounts: CostAmount[];
  /** The one symbol and position that all amounts agree on; both empty if there is none. */
  symbol: string;
  position: CurrencyPosition | '';
  texts: string[];
  /** The two parts of `values`: slugs with the word free, and numbers ascending. */
  words: string[];
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

/** The entries of a sent cost, or undefined if it is of a wrong type: contract section 8, cost, and TXT-01. */
export function costEntries(input: unknown): string[] | undefined {
  if (input === null || input === '') return [];
  const entries = (Array.isArray(input) ? input : [input]).map(entryText);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** One entry as plain text with blanks collapsed; a single no-break blank stays as written (contract section 8, cost). */
export function cleanCostEntry(entry: string): string {
  return plainText(entry).replace(/\s{2,}/gu, ' ');
}

/** Reads the entries of a cost; undefined is no cost: contract section 8, cost rules 1 to 6. */
export function parseCost(entries: readonly string[]): Cost | undefined {
  const cleaned = entries.map(cleanCostEntry).filter((entry) => entry !== '');
  if (cleaned.length === 0) return undefined;
  const readings = cleaned.map((entry) => ({ entry, amounts: amountsOf(entry) }));
  const texts = readings.filter(({ amounts }) => amounts === undefined).map(({ entry }) => entry);
  const amounts = readings.flatMap((reading) => reading.amounts ?? []);
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

/** The members cost and cost_details of an event: contract section 8, cost rules 4 to 6. */
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

/** Price and currency of the offers in json_ld, undefined if there is neither a number nor Free: contract section 8. */
export function offerOf(
  cost: Cost | undefined,
  currencyCode: string,
): { price: string; priceCurrency: string } | undefined {
  if (cost === undefined) return undefined;
  const lowest = cost.amounts[0];
  const prices = [...(lowest ? [lowest.value] : []), ...cost.numbers].sort(compareValues);
  const price = prices[0];
  if (price === undefined) return undefined;
  return { price: isZero(price) ? '0' : price, priceCurrency: codeOf(lowest?.symbol ?? '') ?? currencyCode };
}

function entryText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // contract 2.2: beyond the safe integers a JSON number is no longer what was sent.
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
  // `$10, €10` are two prices, while every zero is just Free.
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

function codeOf(symbol: string): string | undefined {
  return /^[A-Z]{3}$/u.test(symbol) ? symbol : CODES.get(symbol);
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
