import { charactersOf } from '../sql/row-batches.js';
import type { Outcome, Statement } from './session.js';

/** A statement that is not sent yet. Nobody waits for it without the functions. */
interface WaitingStatement extends Statement {
  readonly resolve?: (outcome: Outcome) => void;
  readonly reject?: (error: unknown) => void;
}

/** Limits the text that goes to a server at once. A single statement may have more. */
const MAX_CHARACTERS_WAITING = 100_000;

/**
 * The statements of a transaction on their way to the database. Those that do not wait for each other go together, in order:
 * a server is waited for once. After errors such as a deadlock or a full disk the engine may have rolled back. All further
 * statements then throw the same error, because they would be committed one by one. So do those after a timeout, which may
 * end the statement only: a server's settings decide (`innodb_rollback_on_timeout`). And so do those after an error of
 * several statements, because it is unknown which of them were carried out.
 */
export class StatementQueue {
  /** The error that has ended the transaction. */
  failure: Error | undefined;
  private readonly waiting: WaitingStatement[] = [];
  private isScheduled = false;
  /** Ends when the statements are carried out that were sent last. */
  private last: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly sendTogether: (statements: readonly Statement[]) => Promise<readonly Outcome[]>,
    /** Whether the engine may have rolled back after an error. */
    private readonly endsAll: (error: unknown) => boolean,
  ) {}

  /** See `Transaction`, also for the next functions. */
  send(statement: Statement): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...statement, resolve, reject });
      this.schedule();
    });
  }

  async later(statement: Statement): Promise<void> {
    this.waiting.push(statement);
    if (this.waiting.reduce((sum, { params }) => sum + charactersOf(params), 0) > MAX_CHARACTERS_WAITING)
      await this.flush();
  }

  async sendAlone(statement: Statement): Promise<Outcome> {
    await this.flush();
    return new Promise((resolve, reject) => this.sendNext(() => [{ ...statement, resolve, reject }]));
  }

  async flush(): Promise<void> {
    this.schedule();
    await this.last;
    this.mustBeIntact();
  }

  /** Statements that still wait are not sent any more. They would be committed one by one. */
  end(): void {
    this.isOver = true;
  }

  /** Throws the error that has ended the transaction, if any. */
  mustBeIntact(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.isOver) throw new Error('The transaction is over.');
  }

  /** Sends what waits after this turn of the event loop, and after the statements that are under way. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.sendNext(() => {
      this.isScheduled = false;
      return this.waiting.splice(0);
    });
  }

  private sendNext(take: () => readonly WaitingStatement[]): void {
    this.last = this.last.then(() => this.carryOut(take()));
  }

  private async carryOut(statements: readonly WaitingStatement[]): Promise<void> {
    if (statements.length === 0) return;
    try {
      this.mustBeIntact();
      const outcomes = await this.sendTogether(statements);
      for (const [index, { resolve }] of statements.entries()) resolve?.(outcomes[index]!);
    } catch (error) {
      const isItsOwn = statements.length === 1 && statements[0]!.reject !== undefined;
      if (!isItsOwn || this.endsAll(error)) this.failure ??= error as Error;
      for (const { reject } of statements) reject?.(error);
    }
  }
}
