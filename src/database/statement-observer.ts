/** Observes statements and transactions, e.g. for traces. Each function must call `run` and return its result. */
export interface StatementObserver {
  /** Observes one statement, whose values are placeholders. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  /** Observes a transaction, including its waiting time and all its attempts. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export const UNOBSERVED: StatementObserver = {
  statement: (_sql, run) => run(),
  transaction: (run) => run(),
};
