/** Who wants to see what the database is asked; each function runs what it is given. */
export interface DatabaseWatch {
  /** One statement, which has places for its values. */
  statement<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
  /** A transaction, with its waiting and all its attempts. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}

export const UNWATCHED: DatabaseWatch = {
  statement: (_sql, run) => run(),
  transaction: (run) => run(),
};
