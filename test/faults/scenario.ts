import type { Audit } from './audit.js';
import type { Ledger } from './ledger.js';

export interface Conditions {
  readonly seed: number;
  /** A minute or two, for continuous integration. */
  readonly isShort: boolean;
  /** Tells how it goes. */
  readonly tell: (text: string) => void;
}

export interface Scenario {
  readonly name: string;
  /** Its number in the goals of docs/reliability.md. */
  readonly goal: string;
  readonly about: string;
  run(conditions: Conditions): Promise<Findings>;
}

/** What a scenario has found out. */
export interface Findings {
  /** What was done how often: `20 × kill -9`. */
  readonly faults: string;
  readonly ledger?: Ledger;
  readonly audit?: Audit;
  /** Further figures, in words. */
  readonly figures: readonly string[];
  /** Promises that were not kept. */
  readonly broken: readonly string[];
}

/** The promises that hold whatever happens. */
export function brokenByLedger(
  { stale, withoutRetryAfter }: Ledger,
  { lost, duplicated, halfWritten, examples }: Audit,
): string[] {
  const counts = { lost, duplicated, 'half-written': halfWritten, stale, 'without Retry-After': withoutRetryAfter };
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  return wrong.length === 0 ? [] : [wrong.map(([what, count]) => `${count} ${what}`).join(', '), ...examples];
}
