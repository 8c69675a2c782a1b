import type { Outcome } from '../connection/session.js';
import type { Transaction } from '../connection/transaction.js';
import type { SqlValue } from '../sql/dialect.js';
import { OpenTransaction, type RepositoryDatabase, sendIn } from './open-transaction.js';
import { mustNotWriteOwnTables } from './own-tables.js';
import { kindOf, type StatementKind } from './statement.js';

/** Where the statements of a query runner go. */
export interface StatementTarget {
  /** How many transactions are open, as TypeORM counts them. The inner ones are savepoints. */
  readonly depth: number;
  send(sql: string, params: readonly SqlValue[]): Promise<Outcome>;
  /** Gives back what the query runner has. An open transaction is rolled back. */
  release(): Promise<void>;
}

type Send = (sql: string, params: readonly SqlValue[]) => Promise<Outcome>;

const NO_OUTCOME: Outcome = { raw: [], affected: 0 };

/**
 * The target of an ordinary query runner. A transaction has a writing connection until its end, a write outside is a
 * transaction of one statement, and a read outside goes to a reading connection.
 */
export class DatabaseTarget implements StatementTarget {
  readonly depth = 0;
  private transaction: Promise<OpenTransaction> | undefined;
  /** Statements for the next BEGIN. */
  private setup: string[] = [];

  constructor(private readonly database: RepositoryDatabase) {}

  send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    return this.sends[kindOf(sql)](sql, params);
  }

  async release(): Promise<void> {
    await this.rollBack();
  }

  private readonly sends: Readonly<Record<StatementKind, Send>> = {
    read: async (sql, params) =>
      this.transaction === undefined
        ? this.database.sendRead('scan', sql, params)
        : (await this.transaction).send(sql, params),
    write: async (sql, params) => {
      mustNotWriteOwnTables(sql);
      return this.transaction === undefined ? this.writeAlone(sql, params) : (await this.transaction).send(sql, params);
    },
    definition: async (sql, params) => {
      mustNotWriteOwnTables(sql);
      return this.transaction === undefined ? this.writeAlone(sql, params) : rejectDefinition(sql);
    },
    begin: () => this.begin(),
    commit: () => this.commit(),
    rollback: () => this.rollBack(),
    savepoint: async (sql, params) => (await this.open()).send(sql, params),
    isolation: (sql) => {
      this.setup.push(sql);
      return Promise.resolve(NO_OUTCOME);
    },
    setting: rejectSetting,
  };

  private async writeAlone(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    let outcome = NO_OUTCOME;
    await this.database.inTransactionOnce(async (tx) => {
      outcome = await sendIn(tx, sql, params);
    });
    return outcome;
  }

  private async begin(): Promise<Outcome> {
    if (this.transaction !== undefined) throw new Error('The query runner has an open transaction already.');
    this.transaction = OpenTransaction.begin(this.database, this.setup.splice(0));
    try {
      await this.transaction;
      return NO_OUTCOME;
    } catch (error) {
      this.transaction = undefined;
      throw error;
    }
  }

  private async commit(): Promise<Outcome> {
    const transaction = await this.open();
    this.transaction = undefined;
    await transaction.commit();
    return NO_OUTCOME;
  }

  /** Does nothing without a transaction, because TypeORM rolls back after an error of BEGIN or COMMIT, too. */
  private async rollBack(): Promise<Outcome> {
    const transaction = this.transaction;
    this.transaction = undefined;
    await transaction?.then(
      (open) => open.rollBack(),
      () => undefined,
    );
    return NO_OUTCOME;
  }

  private open(): Promise<OpenTransaction> {
    return this.transaction ?? Promise.reject(new Error('The query runner has no open transaction.'));
  }
}

/** The target of `Transaction.manager`: the open transaction. */
export class TransactionTarget implements StatementTarget {
  readonly depth = 1;

  constructor(private readonly tx: Transaction) {}

  async send(sql: string, params: readonly SqlValue[]): Promise<Outcome> {
    return this.sends[kindOf(sql)](sql, params);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  private readonly sendInTransaction: Send = (sql, params) => sendIn(this.tx, sql, params);

  private readonly sends: Readonly<Record<StatementKind, Send>> = {
    read: this.sendInTransaction,
    write: (sql, params) => {
      mustNotWriteOwnTables(sql);
      return this.sendInTransaction(sql, params);
    },
    definition: rejectDefinition,
    savepoint: this.sendInTransaction,
    begin: rejectEnd,
    commit: rejectEnd,
    rollback: rejectEnd,
    isolation: rejectEnd,
    setting: rejectSetting,
  };
}

function rejectEnd(sql: string): Promise<Outcome> {
  return Promise.reject(
    new Error(`Database.inTransaction begins and ends this transaction, so ${sql} is not allowed.`),
  );
}

/** On SQLite, too, so that a module behaves alike on all engines. */
function rejectDefinition(sql: string): Promise<Outcome> {
  return Promise.reject(
    new Error(
      'MySQL and MariaDB would commit the open transaction before this statement. Send it outside of transactions, by a ' +
        `migration, or delete rows instead of TRUNCATE (\`clear\`): ${sql}`,
    ),
  );
}

function rejectSetting(sql: string): Promise<Outcome> {
  return Promise.reject(new Error(`All share the connections of this service, so this is not allowed: ${sql}`));
}
