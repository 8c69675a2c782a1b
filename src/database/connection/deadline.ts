import { AsyncLocalStorage } from 'node:async_hooks';
import { OutOfTime } from './unavailable.js';

/**
 * The total time that a request may use the database: waiting for a connection, connecting, all statements, the commit.
 * Time between uses, such as fetching an image, does not count.
 */
export class Deadline {
  private uses = 0;
  private since = 0;

  /** The time left, in milliseconds. */
  constructor(private leftMs: number) {}

  /** Milliseconds left, negative after the deadline. */
  get remaining(): number {
    return this.uses === 0 ? this.leftMs : this.leftMs - (performance.now() - this.since);
  }

  /** Lifts the deadline: work that outlives its request has none. */
  lift(): void {
    this.leftMs = Infinity;
  }

  /** Ends the deadline now. */
  expire(): void {
    this.leftMs = -Infinity;
  }

  /** Runs a use of the database and counts its time. Concurrent uses count once. */
  async run<Result>(use: () => Promise<Result>): Promise<Result> {
    if (this.uses === 0) this.since = performance.now();
    this.uses += 1;
    try {
      return await use();
    } finally {
      this.uses -= 1;
      if (this.uses === 0) this.leftMs -= performance.now() - this.since;
    }
  }
}

const CURRENT = new AsyncLocalStorage<Deadline>();

/** Runs `work` with its own deadline, also in its asynchronous calls. Other work, such as commands, has no deadline. */
export function withDeadline<Result>(milliseconds: number, work: () => Result): Result {
  return CURRENT.run(new Deadline(milliseconds), work);
}

/** Returns the deadline of the current work. `otherwise`: milliseconds for work without a deadline. */
export function currentDeadline(otherwise = Infinity): Deadline {
  return CURRENT.getStore() ?? new Deadline(otherwise);
}

/** Returns the result of `work`. After the timeout it calls `giveUp`, throws `OutOfTime` and ignores the result. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  milliseconds: number,
  giveUp: () => void,
): Promise<Result> {
  if (milliseconds === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const end = new Promise<never>((_, reject) => {
    const stop = () => {
      giveUp();
      reject(new OutOfTime());
    };
    // setImmediate lets a result that arrived while the process was busy win.
    timer = setTimeout(() => (last = setImmediate(stop)), milliseconds);
  });
  return Promise.race([work, end]).finally(() => {
    clearTimeout(timer);
    clearImmediate(last);
  });
}

/**
 * Ends a transaction of an embedded database at the deadline, because one that never ends would keep the only writing
 * connection. On a server the pool does that.
 */
export function untilDeadline<Result>(work: Promise<Result>): Promise<Result> {
  return withTimeout(work, currentDeadline().remaining, () => undefined);
}
