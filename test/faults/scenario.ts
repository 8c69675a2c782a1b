import type { Audit } from './audit.js';
import type { Engine } from './engines.js';
import type { Ledger } from './ledger.js';

export interface Conditions {
  readonly engine: Engine;
  readonly seed: number;
  /** A run of one or two minutes, for continuous integration. */
  readonly isShort: boolean;
  /** Reports progress. */
  readonly tell: (text: string) => void;
}

export interface Scenario {
  readonly name: string;
  /** Its number in the goals of docs/reliability.md. */
  readonly goal: string;
  readonly about: string;
  /** The engines on which it cannot run, with the reasons. */
  readonly leftOut?: Partial<Record<Engine, string>>;
  run(conditions: Conditions): Promise<Findings>;
}

/** The result of a scenario. */
export interface Findings {
  /** The faults and their number: `20 × kill -9`. */
  readonly faults: string;
  readonly ledger?: Ledger;
  readonly audit?: Audit;
  /** Further measurements as text. */
  readonly figures: readonly string[];
  /** Guarantees and goals that were violated. */
  readonly broken: readonly string[];
}

/** Returns the violated guarantees of those that hold in every scenario. */
export function brokenByLedger(
  { stale, withoutRetryAfter }: Ledger,
  { lost, duplicated, halfWritten, examples }: Audit,
): string[] {
  const counts = { lost, duplicated, 'half-written': halfWritten, stale, 'without Retry-After': withoutRetryAfter };
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  return wrong.length === 0 ? [] : [wrong.map(([what, count]) => `${count} ${what}`).join(', '), ...examples];
}
