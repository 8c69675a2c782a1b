import { AsyncLocalStorage } from 'node:async_hooks';
import { OutOfTime } from './unavailable.js';

/**
 * How long one piece of work may use the database in all, in milliseconds: waiting for a connection, connecting, every
 * statement, the commit. What it does between two uses, such as asking the net for an image, does not count.
 */
export class Deadline {
  private uses = 0;
  private since = 0;

  constructor(private left: number) {}

  get remaining(): number {
    return this.uses === 0 ? this.left : this.left - (performance.now() - this.since);
  }

  /** From now on there is none left. */
  end(): void {
    this.left = -Infinity;
  }

  /** Uses at the same time count once. */
  async spend<Result>(use: () => Promise<Result>): Promise<Result> {
    if (this.uses === 0) this.since = performance.now();
    this.uses += 1;
    try {
      return await use();
    } finally {
      this.uses -= 1;
      if (this.uses === 0) this.left -= performance.now() - this.since;
    }
  }
}

const CURRENT = new AsyncLocalStorage<Deadline>();

/** Does `work` with a budget of its own, whatever it waits for on its way; without one, as in commands, there is no end. */
export function withTime<Result>(milliseconds: number, work: () => Result): Result {
  return CURRENT.run(new Deadline(milliseconds), work);
}

/** The budget of the work that asks; `otherwise`: what work without one has, in milliseconds. */
export function currentDeadline(otherwise = Infinity): Deadline {
  return CURRENT.getStore() ?? new Deadline(otherwise);
}

/** What `work` answers; when the time is up first, `giveUp` is called, OutOfTime thrown, and its answer dropped. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, giveUp: () => void): Promise<Result> {
  if (milliseconds === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const end = new Promise<never>((_, reject) => {
    const stop = () => {
      giveUp();
      reject(new OutOfTime());
    };
    // An answer that came while the process was busy with something else is taken first.
    timer = setTimeout(() => (last = setImmediate(stop)), milliseconds);
  });
  return Promise.race([work, end]).finally(() => {
    clearTimeout(timer);
    clearImmediate(last);
  });
}
