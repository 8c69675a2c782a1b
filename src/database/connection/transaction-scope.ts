import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction that is open in the current asynchronous context. */
interface Scope {
  isOver: boolean;
  /** The error of work that would open another transaction. */
  readonly advice: string;
}

const CURRENT = new AsyncLocalStorage<Scope>();

/** Runs `work` as the work of one open transaction, also in its asynchronous calls. `advice`: see `mustNotBeInTransaction`. */
export async function inTransactionScope<Result>(advice: string, work: () => Promise<Result>): Promise<Result> {
  const scope = { isOver: false, advice };
  try {
    return await CURRENT.run(scope, work);
  } finally {
    // Work that outlives the transaction may write on its own again.
    scope.isOver = true;
  }
}

/**
 * Throws the advice of the open transaction, if there is one. A further transaction would wait for it on SQLite until the
 * deadline, and it could wait for a lock of it on a server.
 */
export function mustNotBeInTransaction(): void {
  const scope = CURRENT.getStore();
  if (scope !== undefined && !scope.isOver) throw new Error(scope.advice);
}
