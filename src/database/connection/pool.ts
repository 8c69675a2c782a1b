import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { inTime, type Deadline, currentDeadline } from './deadline.js';
import { Semaphore } from './semaphore.js';
import { openSession, type Session } from './session.js';
import { OutOfTime } from './unavailable.js';

/** How many connections a process has to its server. */
export const POOL_SIZE = 10;

/** How many of them one kind of use may have: what is slow, or waits for locks, leaves some for reads by id. */
const SHARES = { scan: 4, write: 4 };

/** The part of its time that a write waits before it begins. */
const PATIENCE = 0.5;

/** `scan`: a read that may look at many rows; `urgent`: a short one that all others wait for. */
export type Use = keyof typeof SHARES | 'lookup' | 'urgent';

/** The connections of a data source: each use has one, and no longer than the time budget of the work says. */
export class ConnectionPool {
  private readonly turns = new Semaphore(POOL_SIZE);
  private readonly shares: Record<keyof typeof SHARES, Semaphore>;
  private readonly isEmbedded: boolean;
  /** Work that has written already, if only the claim of its key. */
  private readonly begun = new WeakSet<Deadline>();

  constructor(private readonly source: DataSource) {
    this.isEmbedded = source.options.type === 'better-sqlite3';
    this.shares = { scan: new Semaphore(this.isEmbedded ? 1 : SHARES.scan), write: new Semaphore(SHARES.write) };
  }

  /** Those who wait for a connection. */
  get waiting(): number {
    return this.turns.waiting + this.shares.scan.waiting + this.shares.write.waiting;
  }

  /** Who is out of time gets OutOfTime at once, whatever the connection does, which is never used again. */
  use<Result>(kind: Use, work: (session: Session) => Promise<Result>): Promise<Result> {
    const budget = currentDeadline();
    if (this.isEmbedded) return budget.spend(() => this.useFile(kind, budget, work));
    // Whoever has one of the few places for writes must not lose it to a crowd of reads.
    const place = kind === 'urgent' || kind === 'write' ? 'first' : 'last';
    const connected = () => this.turns.enter(budget.remaining, () => this.run(work, budget.remaining), place);
    return budget.spend(() => {
      if (kind === 'lookup' || kind === 'urgent') return connected();
      return kind === 'scan' ? this.shares.scan.enter(budget.remaining, connected) : this.write(budget, connected);
    });
  }

  /**
   * An embedded database has one connection, and answers before anything else happens in the process: no clock could stop
   * a statement. Work ends between two of them. Reads that may look at many rows stand in line, and each begins in a turn
   * of its own of the event loop, in which others are served, and who has left is noticed.
   */
  private useFile<Result>(kind: Use, budget: Deadline, work: (session: Session) => Promise<Result>): Promise<Result> {
    const run = () => this.run(work, budget.remaining);
    if (kind !== 'scan') return run();
    return this.shares.scan.enter(budget.remaining, () => nextTurn().then(run));
  }

  /**
   * Where more is asked than can be done, what has begun is brought to its end, and who would begin too late to come to
   * an end does not begin: otherwise all would wait for so long that nobody gets anything done.
   */
  private write<Result>(budget: Deadline, work: () => Promise<Result>): Promise<Result> {
    if (this.begun.has(budget)) return this.shares.write.enter(budget.remaining, work, 'first');
    const begin = () => {
      this.begun.add(budget);
      return work();
    };
    return this.shares.write.enter(budget.remaining * PATIENCE, begin);
  }

  /** Whether a write that has so many milliseconds for the database would not begin, or too late. */
  refusesWrites(milliseconds: number): boolean {
    return this.shares.write.refuses(milliseconds * PATIENCE);
  }

  private async run<Result>(work: (session: Session) => Promise<Result>, milliseconds: number): Promise<Result> {
    if (milliseconds <= 0) throw new OutOfTime();
    const session = openSession(this.source);
    try {
      return await inTime(work(session), this.isEmbedded ? Infinity : milliseconds, () => session.drop());
    } finally {
      session.release();
    }
  }
}

/** How busy the way to the database is. */
export interface PoolLoad {
  /** Connections to a server; 0 on SQLite. */
  readonly open: number;
  /** Those of them that nobody uses. */
  readonly idle: number;
  /** Who waits for a connection or, on SQLite, for the turn to write. */
  readonly waiting: number;
}

/** mysql2 has no public figures. */
interface Pool {
  readonly _allConnections?: { readonly length: number };
  readonly _freeConnections?: { readonly length: number };
  readonly _connectionQueue?: { readonly length: number };
}

/** `writers`: those in the queue of this process. */
export function loadOf(dataSource: DataSource, writers: number): PoolLoad {
  const { pool } = dataSource.driver as { pool?: Pool };
  return {
    open: pool?._allConnections?.length ?? 0,
    idle: pool?._freeConnections?.length ?? 0,
    waiting: (pool?._connectionQueue?.length ?? 0) + writers,
  };
}
