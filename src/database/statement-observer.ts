/** Observes statements and transactions, e.g. for traces. Each function must call `run` and return its result. */
export interface StatementObserver {
  /** Observes statements that are sent together, whose values are placeholders. */
  statements<Result>(texts: readonly string[], run: () => Promise<Result>): Promise<Result>;
  /** Observes a transaction, including its waiting time and all its attempts. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export const UNOBSERVED: StatementObserver = {
  statements: (_texts, run) => run(),
  transaction: (run) => run(),
};
