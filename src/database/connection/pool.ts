import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { withTimeout, type Deadline, currentDeadline } from './deadline.js';
import { Semaphore } from './semaphore.js';
import { openSession, openThreadSession, type Session } from './session.js';
import { OutOfTime } from './unavailable.js';

/** Connections of a process to its server, by the data source that has them. */
export const POOL_SIZES = { reading: 6, writing: 4 };

/** Maximum connections per kind of use. Slow reads leave some for reads by id. */
const MAX_PER_USE = { scan: 4, write: POOL_SIZES.writing };

/** The part of its remaining time that a write may wait before it begins, so that the rest suffices for its work. */
const MAX_WAIT_SHARE = 0.5;

/** `scan`: a read of many rows. `lookup`: a read by id. `urgent`: a short read on which all others wait. */
export type Use = keyof typeof MAX_PER_USE | 'lookup' | 'urgent';

/** The connections of a data source. Each use has one connection, until the deadline of its work. */
export class ConnectionPool {
  /** For reads of all kinds. */
  private readonly semaphore = new Semaphore(POOL_SIZES.reading);
  private readonly useSemaphores: Record<keyof typeof MAX_PER_USE, Semaphore>;
  private readonly isEmbedded: boolean;
  /** Deadlines of work that has begun to write, even if only the claim of its idempotency key. */
  private readonly writing = new WeakSet<Deadline>();

  constructor(private readonly source: DataSource) {
    this.isEmbedded = source.options.type === 'better-sqlite3';
    this.useSemaphores = {
      scan: new Semaphore(this.isEmbedded ? 1 : MAX_PER_USE.scan),
      write: new Semaphore(MAX_PER_USE.write),
    };
  }

  /** The number of callers that wait for a connection. */
  get waiting(): number {
    return this.semaphore.waiting + this.useSemaphores.scan.waiting + this.useSemaphores.write.waiting;
  }

  /** Runs `work` with a connection. At the deadline the caller gets `OutOfTime` and the connection is discarded. */
  use<Result>(kind: Use, work: (session: Session) => Promise<Result>): Promise<Result> {
    const deadline = currentDeadline();
    if (this.isEmbedded) return deadline.run(() => this.useEmbedded(kind, deadline, work));
    const run = () => this.runInSession(work, deadline.remaining);
    return deadline.run(() => {
      // Writes have connections of their own.
      if (kind === 'write') return this.write(deadline, run);
      const read = () => this.semaphore.run(deadline.remaining, run, kind === 'urgent' ? 'first' : 'last');
      return kind === 'scan' ? this.useSemaphores.scan.run(deadline.remaining, read) : read();
    });
  }

  /**
   * Uses the one connection of an embedded database. A statement blocks the process, so no timer can stop it: deadlines
   * apply between statements. Scans run one at a time in a thread, each after a turn of the event loop, so that the process
   * serves other requests meanwhile and notices closed connections.
   */
  private useEmbedded<Result>(
    kind: Use,
    deadline: Deadline,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    if (kind !== 'scan') return this.runInSession(work, deadline.remaining);
    const run = () => this.runInSession(work, deadline.remaining, openThreadSession(this.source));
    return this.useSemaphores.scan.run(deadline.remaining, () => nextTurn().then(run));
  }

  /**
   * Runs a write. Under overload, work that has begun goes first, and work that would begin too late to finish is rejected.
   * Otherwise all writes would wait until their deadlines.
   */
  private write<Result>(deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
    if (this.writing.has(deadline)) return this.useSemaphores.write.run(deadline.remaining, work, 'first');
    const begin = () => {
      this.writing.add(deadline);
      return work();
    };
    return this.useSemaphores.write.run(deadline.remaining * MAX_WAIT_SHARE, begin);
  }

  /** Whether a write with this timeout would be rejected now. */
  wouldRejectWrites(milliseconds: number): boolean {
    return this.useSemaphores.write.wouldReject(milliseconds * MAX_WAIT_SHARE);
  }

  private async runInSession<Result>(
    work: (session: Session) => Promise<Result>,
    milliseconds: number,
    session = openSession(this.source),
  ): Promise<Result> {
    try {
      if (milliseconds <= 0) throw new OutOfTime();
      return await withTimeout(work(session), session.isBlocking ? Infinity : milliseconds, () => session.drop());
    } finally {
      session.release();
    }
  }
}

/** How busy the connections are. */
export interface PoolLoad {
  /** Open connections to a server. 0 on SQLite. */
  readonly open: number;
  /** Unused connections among them. */
  readonly idle: number;
  /** Callers that wait for a connection or, on SQLite, to write. */
  readonly waiting: number;
}

/** mysql2's private fields, because it has no public ones for these numbers. */
interface Pool {
  readonly _allConnections?: { readonly length: number };
  readonly _freeConnections?: { readonly length: number };
  readonly _connectionQueue?: { readonly length: number };
}

/** Returns the load of data sources. `queued`: callers in the queues of this process. */
export function loadOf(sources: readonly DataSource[], queued: number): PoolLoad {
  const pools = sources.map(({ driver }) => (driver as { pool?: Pool }).pool);
  const sum = (of: keyof Pool) => pools.reduce((total, pool) => total + (pool?.[of]?.length ?? 0), 0);
  return {
    open: sum('_allConnections'),
    idle: sum('_freeConnections'),
    waiting: sum('_connectionQueue') + queued,
  };
}
