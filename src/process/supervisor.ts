import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { configuredEnvironment } from '../config/environment.js';
import { loggedError } from '../errors/logged-error.js';
import { openProcessLog } from '../platform/observability/process-log.js';
import { type WorkerMessage, type WorkerKind, workerVariables } from '../platform/observability/worker-messages.js';
import { stopTimeoutMs } from '../platform/server/shutdown.js';
import { openWorkersMetrics } from './worker-metrics.js';

/** A worker that ran this long (ms) did not fail at start. */
const STEADY_MS = 10_000;

/**
 * Starts and restarts the workers, which share one port. The first worker migrates the database; the others start when
 * it is ready. A worker that ends is replaced, with an increasing delay if it ended early.
 */
export class Workers {
  private readonly ready = new Set<Worker>();
  private readonly stopping = new AbortController();
  private readonly stopped = once(this.stopping.signal, 'abort');
  private resolveFirstReady: () => void = () => undefined;
  private readonly firstReady = new Promise<void>((done) => (this.resolveFirstReady = done));

  constructor(private readonly log: Logger) {}

  /** Resolves with the exit code when all workers have ended, after `stop` or because none can start. */
  async run(count: number): Promise<number> {
    const first = this.keep();
    await Promise.race([this.firstReady, this.stopped]);
    const others = Array.from({ length: count - 1 }, () => this.keep());
    return Math.max(...(await Promise.all([first, ...others])));
  }

  /** Stops all workers gracefully. */
  stop(): void {
    this.stopping.abort();
    // A signal, because a starting worker would miss a message.
    for (const worker of all()) worker.process.kill('SIGTERM');
  }

  /** Kills all workers. */
  kill(): void {
    for (const worker of all()) worker.process.kill('SIGKILL');
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Runs a worker and replaces it when it ends. Returns the exit code of the last one. */
  private async keep(): Promise<number> {
    for (let failures = 0; !this.isStopping;) {
      const began = performance.now();
      const worker = this.fork();
      const [code, signal] = await ended(worker);
      const wasReady = this.ready.delete(worker);
      if (this.isStopping) return code ?? (signal === 'SIGKILL' ? 1 : 0);
      this.log.warn({ worker: worker.id, code, signal }, 'a worker ended');
      // If no worker is ready, a start error is fatal: retrying would hide it. The worker has printed the reason.
      if (!wasReady && this.ready.size === 0 && code !== null && code > 0) {
        this.stop();
        return code;
      }
      failures = performance.now() - began < STEADY_MS ? failures + 1 : 0;
      const { signal: aborted } = this.stopping;
      await sleep(restartDelay(failures), undefined, { signal: aborted }).catch(() => undefined);
    }
    return 0;
  }

  private fork(): Worker {
    // The first worker listens before the database is ready, like a single process.
    const kind: WorkerKind = this.ready.size === 0 ? 'first-worker' : 'further-worker';
    const worker = cluster.fork(workerVariables(kind));
    worker.on('message', ({ type }: WorkerMessage) => {
      if (type !== 'ready') return;
      this.ready.add(worker);
      this.resolveFirstReady();
    });
    return worker;
  }
}

/** Returns exit code and signal. A failed fork counts as exit code 1. */
function ended(worker: Worker): Promise<[code: number | null, signal: string | null]> {
  return once(worker, 'exit').catch(() => [1, null]) as Promise<[number | null, string | null]>;
}

function all(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** Additional time before workers are killed, in milliseconds. */
const GRACE_MS = 1_000;

/** Runs the primary process, which only supervises workers. Ends the process. */
export async function keepWorkers(count: number): Promise<void> {
  const environment = configuredEnvironment();
  const { lines: log, written } = openProcessLog(environment);
  const workers = new Workers(log);
  let isStopping = false;
  let failed = 0;
  const stop = () => {
    if (isStopping) endNow(workers);
    isStopping = true;
    log.info({}, 'stopping all workers');
    setTimeout(() => endNow(workers), stopTimeoutMs(environment) + GRACE_MS).unref();
    workers.stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
  process.on('uncaughtException', (error) => {
    log.error({ error: loggedError(error) }, 'uncaughtException');
    failed = 1;
    if (!isStopping) stop();
  });
  await openWorkersMetrics(environment, log);
  const code = await workers.run(count);
  await written();
  process.exit(Math.max(failed, code));
}

function endNow(workers: Workers): void {
  workers.kill();
  process.exit(1);
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;

/** Returns the delay before a restart, in milliseconds, after this number of consecutive early exits. */
export function restartDelay(failures: number): number {
  return failures === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
}
