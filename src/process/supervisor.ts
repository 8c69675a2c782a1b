import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { configuredEnvironment } from '../config/environment.js';
import { loggedError } from '../errors/logged-error.js';
import { openProcessLog } from '../platform/observability/process-log.js';
import type { Told, WorkerKind } from '../platform/observability/worker-messages.js';
import { mostStopping } from '../platform/server/shutdown.js';
import { openWorkersMetrics } from './worker-metrics.js';

/** Who has lived so long did not end by its start, in milliseconds. */
const STEADY = 10_000;

/**
 * Keeps serving processes alive, which share one port. The first of them prepares the database alone, the others follow
 * when it is ready. One that ends is replaced, the faster it ended the later.
 */
export class Workers {
  private readonly ready = new Set<Worker>();
  private readonly stopping = new AbortController();
  private readonly stopped = once(this.stopping.signal, 'abort');
  private tellFirstReady: () => void = () => undefined;
  private readonly firstReady = new Promise<void>((done) => (this.tellFirstReady = done));

  constructor(private readonly log: Logger) {}

  /** Ends when all have ended, after `stop` or because none can start; answers the exit code. */
  async run(count: number): Promise<number> {
    const first = this.keep();
    await Promise.race([this.firstReady, this.stopped]);
    const others = Array.from({ length: count - 1 }, () => this.keep());
    return Math.max(...(await Promise.all([first, ...others])));
  }

  /** Lets all end what they are about. */
  stop(): void {
    this.stopping.abort();
    // A message to one that still starts would be lost.
    for (const worker of all()) worker.process.kill('SIGTERM');
  }

  /** Ends all at once. */
  kill(): void {
    for (const worker of all()) worker.process.kill('SIGKILL');
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** One worker after the other; answers the exit code of the last. */
  private async keep(): Promise<number> {
    for (let failures = 0; !this.isStopping;) {
      const began = performance.now();
      const worker = this.fork();
      const [code, signal] = await ended(worker);
      const wasReady = this.ready.delete(worker);
      if (this.isStopping) return code ?? (signal === 'SIGKILL' ? 1 : 0);
      this.log.warn({ worker: worker.id, code, signal }, 'a worker ended');
      // Its reason stands on standard error. While others serve it may pass; alone, waiting would only hide it.
      if (!wasReady && this.ready.size === 0 && code !== null && code > 0) {
        this.stop();
        return code;
      }
      failures = performance.now() - began < STEADY ? failures + 1 : 0;
      const { signal: aborted } = this.stopping;
      await sleep(restartDelay(failures), undefined, { signal: aborted }).catch(() => undefined);
    }
    return 0;
  }

  private fork(): Worker {
    // Alone it listens before the database is there, as a process without workers does; beside others, when it can answer.
    const kind: WorkerKind = this.ready.size === 0 ? 'first-worker' : 'further-worker';
    cluster.setupPrimary({ args: [kind] });
    const worker = cluster.fork();
    worker.on('message', ({ told }: Told) => {
      if (told !== 'ready') return;
      this.ready.add(worker);
      this.tellFirstReady();
    });
    return worker;
  }
}

/** Exit code and signal; a process that could not even be made counts as failed. */
function ended(worker: Worker): Promise<[code: number | null, signal: string | null]> {
  return once(worker, 'exit').catch(() => [1, null]) as Promise<[number | null, string | null]>;
}

function all(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** Beyond the time that workers take to end by themselves, in milliseconds. */
const GRACE = 1_000;

/** The process that keeps the workers: it serves nothing itself. Does not come back. */
export async function keepWorkers(count: number): Promise<void> {
  const environment = configuredEnvironment();
  const { lines: log, written } = openProcessLog(environment.LOG_LEVEL);
  const workers = new Workers(log);
  let isStopping = false;
  let failed = 0;
  const stop = () => {
    if (isStopping) endNow(workers);
    isStopping = true;
    log.info({}, 'stopping all workers');
    setTimeout(() => endNow(workers), mostStopping(environment) + GRACE).unref();
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

const FIRST = 100;
const MOST = 30_000;

/** How long to wait before a process is started again, in milliseconds: after so many that ended soon after their start. */
export function restartDelay(failures: number): number {
  return failures === 0 ? 0 : Math.min(MOST, FIRST * 2 ** (failures - 1));
}
