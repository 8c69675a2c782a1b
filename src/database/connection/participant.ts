import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from './transaction.js';

/** Takes part in the transactions that some work begins by `Database.inTransaction`, such as those of one request. */
export interface Participant {
  /** Called before each transaction, outside of it. May reject it by an error. */
  beforeBegin(): Promise<void>;
  /** Adds statements at the end of each transaction. Its error rolls back. */
  beforeCommit(tx: Transaction): Promise<void>;
  afterCommit(): void;
  /** Called after a transaction that was rolled back, or whose commit is unknown. */
  afterFailure(reason: unknown): Promise<void>;
}

const CURRENT = new AsyncLocalStorage<Participant | undefined>();

/** Runs `work` with a participant, or without one, also in its asynchronous calls. */
export function withParticipant<Result>(participant: Participant | undefined, work: () => Result): Result {
  return CURRENT.run(participant, work);
}

/** Runs a transaction, which `transact` carries out, together with the participant of the current work, if there is one. */
export async function withItsParticipant<Result>(
  work: (tx: Transaction) => Promise<Result>,
  transact: (work: (tx: Transaction) => Promise<Result>) => Promise<Result>,
): Promise<Result> {
  const participant = CURRENT.getStore();
  if (participant === undefined) return transact(work);
  // It has transactions of its own.
  const alone = (step: () => Promise<void>) => withParticipant(undefined, step);
  await alone(() => participant.beforeBegin());
  try {
    const result = await transact(async (tx) => {
      const found = await work(tx);
      await participant.beforeCommit(tx);
      return found;
    });
    participant.afterCommit();
    return result;
  } catch (error) {
    await alone(() => participant.afterFailure(error));
    throw error;
  }
}
