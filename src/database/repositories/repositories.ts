import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager } from 'typeorm';
import { inTransactionScope } from '../connection/transaction-scope.js';
import type { Transaction } from '../connection/transaction.js';
import type { RepositoryDatabase } from './open-transaction.js';
import { createQueryRunner } from './query-runners.js';
import { DatabaseTarget, TransactionTarget } from './statement-target.js';

const OPEN_TRANSACTION =
  'DataSource.transaction has a transaction open here, for which another one would wait. ' +
  'Write with the EntityManager that its callback gets, or use Database.inTransaction and tx.manager.';

const ORIGINAL = new AsyncLocalStorage<true>();

/**
 * Runs `work`, in which data sources create TypeORM's own query runners: for migrations, and before the database is open.
 * No other statements may run at the same time, because those of SQLite share one connection and one query runner.
 */
export function withOriginalQueryRunners<Result>(work: () => Result): Result {
  return ORIGINAL.run(true, work);
}

/**
 * Makes repositories, query builders and transactions of a data source safe beside `Database`: they wait for the database
 * to open and for writing connections, have the deadline of their request, and note what they change.
 */
export function guardRepositories(source: DataSource, database: RepositoryDatabase): void {
  const original = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) =>
    ORIGINAL.getStore() === true ? original(mode) : createQueryRunner(source, new DatabaseTarget(database));
  rejectNestedWrites(source.manager);
}

/** Returns TypeORM's EntityManager whose statements run in an open transaction. */
export function managerOf(source: DataSource, tx: Transaction): EntityManager {
  return createQueryRunner(source, new TransactionTarget(tx)).manager;
}

type Work = (manager: EntityManager) => Promise<unknown>;
type RunTransaction = (...args: (string | Work)[]) => Promise<unknown>;

/** Inside a transaction's callback, writes that do not use its EntityManager fail at once instead of waiting for it. */
function rejectNestedWrites(manager: EntityManager): void {
  const transaction = manager.transaction.bind(manager) as RunTransaction;
  const scoped = (work: Work): Work => {
    return (own) => inTransactionScope(OPEN_TRANSACTION, () => work(own));
  };
  const guarded: RunTransaction = (...args) =>
    transaction(...args.map((value) => (typeof value === 'function' ? scoped(value) : value)));
  manager.transaction = guarded;
}
