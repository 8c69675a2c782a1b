import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SqlValue } from '../sql/dialect.js';
import { DRIVER_NAME } from './sqlite-driver.js';

/** Limits the memory of the thread, in MiB. */
const MAX_YOUNG_MB = 8;

/**
 * The number of threads that may still run a statement whose reader has gone. The driver cannot interrupt it. Further
 * statements wait then, because each of these threads keeps a processor busy.
 */
const MAX_LEFT = 2;

/** The answer of the thread: rows, or the message and code of the driver's error. */
type Answer = { readonly rows: unknown[] } | { readonly error: { readonly message: string; readonly code?: string } };

interface Thread {
  readonly worker: Worker;
  /** Ends when the thread has ended. */
  readonly exited: Promise<void>;
  /** Aborts when the thread has ended, or is left alone with its statement. */
  readonly end: AbortController;
}

/**
 * A thread that reads an embedded database by a connection of its own. The statements of the driver are synchronous, so
 * that a scan of a large table would stop all requests of the process. Starts with the first statement. A thread whose
 * statement nobody waits for any more ends after it, and another one takes its place at once.
 */
export class ScanThread {
  private thread: Thread | undefined;
  /** Threads that end after the statement that they run. */
  private readonly left = new Set<Thread>();
  /** Ends with the last statement. The next one waits for it. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** The number of threads that run a statement for which nobody waits. */
  get leftThreads(): number {
    return this.left.size;
  }

  /** Returns the rows of a statement. Aborting it lets the next one begin. One that has not begun returns no rows then. */
  read(sql: string, params: readonly SqlValue[], aborted: AbortSignal): Promise<unknown[]> {
    const result = this.last
      .then(() => this.hasRoom())
      .then(() => (aborted.aborted ? [] : this.send(sql, params, aborted)));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the threads, each after its running statement: the driver cannot interrupt it. */
  async close(): Promise<void> {
    const threads = this.thread === undefined ? [...this.left] : [this.thread, ...this.left];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  private async hasRoom(): Promise<void> {
    while (this.left.size >= MAX_LEFT) await Promise.race([...this.left].map(({ exited }) => exited));
  }

  private async send(sql: string, params: readonly SqlValue[], aborted: AbortSignal): Promise<unknown[]> {
    const thread = (this.thread ??= this.start());
    const leave = () => this.leave(thread);
    aborted.addEventListener('abort', leave);
    // A command waits for its last statement, but its process does not wait for an idle thread.
    thread.worker.ref();
    try {
      thread.worker.postMessage({ sql, params });
      const [answer] = (await once(thread.worker, 'message', { signal: thread.end.signal })) as [Answer];
      if ('rows' in answer) return answer.rows;
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    } finally {
      aborted.removeEventListener('abort', leave);
      thread.worker.unref();
    }
  }

  /** Lets a thread end after its statement. */
  private leave(thread: Thread): void {
    this.thread = undefined;
    this.left.add(thread);
    // Without a listener an error of the thread would end the process.
    thread.worker.on('error', () => undefined);
    thread.worker.postMessage('end');
    thread.end.abort();
  }

  private start(): Thread {
    const end = new AbortController();
    const worker = new Worker(new URL('./scan.worker.mjs', import.meta.url), {
      workerData: { driver: DRIVER_NAME, path: this.path },
      // Options such as --input-type are for the main thread only.
      execArgv: [],
      // Rows are garbage as soon as they are sent.
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const thread = { worker, exited, end };
    worker.once('exit', () => {
      if (this.thread === thread) this.thread = undefined;
      this.left.delete(thread);
      end.abort();
    });
    return thread;
  }
}
