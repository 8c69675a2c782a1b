/** A fault of list.json. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** The test files that should catch it. */
  readonly tests: readonly string[];
}

export const FAULTS: readonly Fault[];
export function withFault(text: string, fault: Fault): string;
export function problemsOf(fault: Fault, root: string): readonly string[];
