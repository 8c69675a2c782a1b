import type { Statement } from '../sql/row-statements.js';
import type { Outcome } from './session.js';

/** A statement on its way. Nobody waits for it without the functions. */
interface SentStatement extends Statement {
  readonly resolve?: (outcome: Outcome) => void;
  readonly reject?: (error: unknown) => void;
  /** It begins the transaction, and fails only if the connection or the server does. */
  readonly isOpening?: boolean;
}

/** Statements that go together. */
interface Batch {
  readonly statements: SentStatement[];
  size: number;
  isOnItsWay: boolean;
}

/** Limits the text that goes to a server at once, in characters. A single statement may have more. */
const MAX_SIZE = 200_000;
const MAX_STATEMENTS = 50;

/**
 * The statements of a transaction on their way to the database, in order. Statements that do not wait for each other go
 * together, so that a server is waited for once. After errors such as a deadlock or a full disk the engine may have rolled
 * back. All further statements then throw the same error, because they would be committed one by one. So do those after a
 * timeout, which may end the statement only: a server's settings decide (`innodb_rollback_on_timeout`). And so do those after
 * an error of several statements, because it is unknown which of them were carried out.
 */
export class StatementQueue {
  /** The error that has ended the transaction. */
  failure: Error | undefined;
  /** The statements that go together next. */
  private batch: Batch | undefined;
  /** Ends when all statements on their way are carried out. */
  private last: Promise<void> = Promise.resolve();
  /** Takes no more statements. */
  private isClosed = false;
  /** Statements on their way are not sent any more. */
  private isOver = false;

  constructor(
    private readonly sendTogether: (statements: readonly Statement[]) => Promise<readonly Outcome[]>,
    /** Whether the engine may have rolled back after an error. */
    private readonly endsAll: (error: unknown) => boolean,
    /** The statements that begin the transaction. */
    opening: readonly string[],
  ) {
    for (const sql of opening) this.add({ sql, params: [], isOpening: true });
  }

  /** See `Transaction`, also for the next functions. */
  send(statement: Statement): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.add({ ...statement, resolve, reject });
      this.dispatch();
    });
  }

  later(statement: Statement): void {
    this.add(statement);
  }

  sendAlone(statement: Statement): Promise<Outcome> {
    this.seal();
    const result = this.send(statement);
    this.seal();
    return result;
  }

  /** Waits until all statements so far are carried out. */
  async flush(): Promise<void> {
    this.seal();
    await this.last;
    this.mustBeIntact();
  }

  /** Sends the last statement of the transaction: later ones would be carried out after it. */
  sendLast(statement: Statement): Promise<Outcome> {
    const result = this.send(statement);
    this.isClosed = true;
    return result;
  }

  /** Waits until nothing is on its way, and sends nothing more. */
  async end(): Promise<void> {
    this.isClosed = true;
    this.isOver = true;
    this.seal();
    await this.last;
  }

  /** Throws the error that has ended the transaction, if any. */
  mustBeIntact(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.isOver) throw isOver();
  }

  private add(statement: SentStatement): void {
    if (this.isClosed) throw isOver();
    this.batch ??= { statements: [], size: 0, isOnItsWay: false };
    this.batch.statements.push(statement);
    this.batch.size += sizeOf(statement);
    if (this.batch.size > MAX_SIZE || this.batch.statements.length === MAX_STATEMENTS) this.seal();
  }

  /** Sends the next statements without those that follow. */
  private seal(): void {
    this.dispatch();
    this.batch = undefined;
  }

  /** Sends the next statements after this turn of the event loop, and after those on their way. */
  private dispatch(): void {
    const { batch } = this;
    if (batch === undefined || batch.isOnItsWay) return;
    batch.isOnItsWay = true;
    this.last = this.last.then(() => {
      if (this.batch === batch) this.batch = undefined;
      return this.carryOut(batch.statements);
    });
  }

  private async carryOut(statements: readonly SentStatement[]): Promise<void> {
    try {
      this.mustBeIntact();
      const outcomes = await this.sendTogether(statements);
      for (const [index, { resolve }] of statements.entries()) resolve?.(outcomes[index]!);
    } catch (error) {
      const [first, ...others] = statements.filter(({ isOpening }) => isOpening !== true);
      const isItsOwn = others.length === 0 && first?.reject !== undefined;
      if (!isItsOwn || this.endsAll(error)) this.failure ??= error as Error;
      for (const { reject } of statements) reject?.(error);
    }
  }
}

function isOver(): Error {
  return new Error('The transaction is over.');
}

function sizeOf({ sql, params }: Statement): number {
  let size = sql.length;
  // An estimate, in characters. A byte of a blob takes two of them.
  for (const value of params)
    size += typeof value === 'string' ? value.length : value instanceof Uint8Array ? 2 * value.length : 8;
  return size;
}
