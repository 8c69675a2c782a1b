import { type CostAmount, isFreeWord, isZero, numbersIn } from '../../kernel/cost-amount.js';
import { type Cost, parseCost } from '../../kernel/cost.js';

/** What a sent cost may have been: of several that come to the same, a plain one. */
export interface CostEntries {
  readonly entries: readonly string[];
  /** Whether reading the entries gives the very cost again; else a part of its values or a symbol is lost. */
  readonly isExact: boolean;
}

/** The entries to send for a cost to become what is stored (contract section 8, cost). */
export function costEntriesOf(cost: Cost): CostEntries {
  const shown = cost.amounts.flatMap((amount) => writtenAmount(amount, cost));
  const told = new Set([...cost.amounts.map(({ value }) => value), ...cost.texts.flatMap(numbersIn)]);
  const between = cost.numbers.filter((value) => !told.has(value)).map((value) => withSymbol(value, cost));
  const free = cost.words.includes('free') && !shown.some((entry) => /^free$/iu.test(entry)) ? ['Free'] : [];
  const entries = [...shown.slice(0, 1), ...between, ...shown.slice(1), ...free, ...cost.texts];
  return { entries, isExact: JSON.stringify(parseCost(entries)) === JSON.stringify(cost) };
}

/** An amount of zero is stored as the word that is shown; which number it was, the values tell. */
function writtenAmount(amount: CostAmount, cost: Cost): string[] {
  if (!isZero(amount.value)) return [withSymbol(amount.number, amount)];
  const number = cost.numbers.find(isZero);
  if (number !== undefined) return [withSymbol(number, cost)];
  return isFreeWord(amount) ? [amount.number] : [];
}

function withSymbol(number: string, { symbol, position }: Pick<Cost, 'symbol' | 'position'>): string {
  return position === 'prefix' ? symbol + number : number + symbol;
}
