import type { DataSource, QueryRunner } from 'typeorm';
import { inTime, timeBudget } from './time-budget.js';
import { Turns } from './turns.js';

/** How many connections a process has to its server. */
export const POOL_SIZE = 10;

/** The connections of a data source: each use has one, and no longer than the time budget of the work says. */
export class Connections {
  private readonly turns = new Turns(POOL_SIZE);

  constructor(private readonly source: DataSource) {}

  /** Those who wait for a connection. */
  get waiting(): number {
    return this.turns.waiting;
  }

  /** Who is out of time gets OutOfTime at once, whatever the connection does, which is never used again. */
  use<Result>(work: (runner: QueryRunner) => Promise<Result>): Promise<Result> {
    // An embedded database has one, and answers before anything else happens in the process: no clock could stop it.
    if (this.source.options.type === 'better-sqlite3') return this.run(work, Infinity);
    const budget = timeBudget();
    return budget.spend(() => this.turns.enter(budget.remaining, () => this.run(work, budget.remaining)));
  }

  private async run<Result>(work: (runner: QueryRunner) => Promise<Result>, milliseconds: number): Promise<Result> {
    const runner = this.source.createQueryRunner();
    try {
      return await inTime(work(runner), milliseconds, () => void drop(runner));
    } finally {
      await runner.release();
    }
  }
}

interface PooledConnection {
  destroy?(): void;
  readonly stream?: { destroy(): void };
}

/** Takes a connection out of the pool, also one that is not made yet. */
export async function drop(runner: QueryRunner): Promise<void> {
  const connection = (await runner.connect().catch(() => undefined)) as PooledConnection | undefined;
  connection?.destroy?.();
  // The driver ends its own side only, and would go on listening to a server that may be silent for long.
  connection?.stream?.destroy();
}
