import type { Outcome } from '../connection/session.js';
import type { Transaction } from '../connection/transaction.js';
import type { SqlValue } from '../sql/dialect.js';
import { kindOf, type StatementKind } from './statement.js';

/** What repositories need of the database. */
export interface RepositoryDatabase {
  /** Sends a statement to a reading connection. */
  sendRead(use: 'scan', sql: string, params: readonly SqlValue[]): Promise<Outcome>;
  /** Runs `work` in a write transaction, once at most. `setup`: statements to send before BEGIN. */
  inTransactionOnce(work: (tx: Transaction) => Promise<void>, setup?: readonly string[]): Promise<void>;
}

/** Sends a statement of a module in a transaction. A write leaves the change `extension.changed`. */
export async function sendIn(tx: Transaction, sql: string, params: readonly SqlValue[]): Promise<Outcome> {
  const outcome = await tx.sendAlone(sql, params);
  if (CHANGES.has(kindOf(sql))) tx.recordExtensionChange();
  return outcome;
}

/** A definition can change rows, too: TRUNCATE. */
const CHANGES: ReadonlySet<StatementKind> = new Set(['write', 'definition']);

/** Ends the work of a transaction. */
interface End {
  readonly commit: () => void;
  readonly rollBack: (error: unknown) => void;
}

/**
 * A write transaction that its caller ends by a call, as TypeORM does. It has a writing connection from BEGIN on until
 * `commit`, `rollBack`, an error after which the engine may have rolled back, or the deadline of the request.
 */
export class OpenTransaction {
  /** Why the transaction is over. */
  private failure: unknown;

  private constructor(
    private readonly tx: Transaction,
    private readonly end: End,
    private readonly ended: Promise<void>,
  ) {
    ended.catch((error: unknown) => (this.failure ??= error));
  }

  /** Waits for a writing connection and begins. Throws an error for which `isUnavailable` is true after the deadline. */
  static begin(database: RepositoryDatabase, setup: readonly string[]): Promise<OpenTransaction> {
    return new Promise((resolve, reject) => {
      const ended = database.inTransactionOnce(
        (tx) =>
          new Promise((commit, rollBack) => {
            resolve(new OpenTransaction(tx, { commit, rollBack }, ended));
          }),
        setup,
      );
      // Errors of BEGIN. Later ones are thrown by the next statement.
      ended.catch(reject);
    });
  }

  /** Sends a statement. Throws the error that has ended the transaction, if any. */
  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    if (this.failure !== undefined) throw this.failure as Error;
    try {
      // A silent server never answers, and the driver drops the statement with its connection.
      return await Promise.race([sendIn(this.tx, sql, params), this.ended.then(isOver)]);
    } catch (error) {
      if (this.tx.hasFailed) this.fail(error);
      throw error;
    }
  }

  /** Writes the change record and commits. Throws the error that has ended the transaction, if any. */
  commit(): Promise<void> {
    this.end.commit();
    return this.ended;
  }

  /** Does nothing if the transaction is over. */
  async rollBack(): Promise<void> {
    this.fail(new Error('The transaction was rolled back.'));
    await this.ended.catch(() => undefined);
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    this.end.rollBack(error);
  }
}

function isOver(): never {
  throw new Error('The transaction was committed before this statement had ended.');
}
