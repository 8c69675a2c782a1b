import { type CostAmount, isFreeWord, isZero, numbersIn } from '../../kernel/cost-amount.js';
import { type Cost, parseCost } from '../../kernel/cost.js';

/** The entries of a cost, as a client may have sent them. */
export interface CostEntries {
  readonly entries: readonly string[];
  /** Whether parsing the entries gives the same cost. If not, some values or a symbol are lost. */
  readonly isExact: boolean;
}

/** Returns entries that a parse turns into the stored cost, as far as possible (contract section 8, cost). */
export function costEntriesOf(cost: Cost): CostEntries {
  const shown = cost.amounts.flatMap((amount) => writtenAmount(amount, cost));
  const included = new Set([...cost.amounts.map(({ value }) => value), ...cost.texts.flatMap(numbersIn)]);
  const between = cost.numbers.filter((value) => !included.has(value)).map((value) => withSymbol(value, cost));
  const free = cost.words.includes('free') && !shown.some((entry) => /^free$/iu.test(entry)) ? ['Free'] : [];
  const entries = [...shown.slice(0, 1), ...between, ...shown.slice(1), ...free, ...cost.texts];
  return { entries, isExact: JSON.stringify(parseCost(entries)) === JSON.stringify(cost) };
}

/** Returns the entry of an amount. Zero is stored as the word in responses; its number is among the values. */
function writtenAmount(amount: CostAmount, cost: Cost): string[] {
  if (!isZero(amount.value)) return [withSymbol(amount.number, amount)];
  const number = cost.numbers.find(isZero);
  if (number !== undefined) return [withSymbol(number, cost)];
  return isFreeWord(amount) ? [amount.number] : [];
}

function withSymbol(number: string, { symbol, position }: Pick<Cost, 'symbol' | 'position'>): string {
  return position === 'prefix' ? symbol + number : number + symbol;
}
