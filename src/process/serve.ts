import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { wireApp } from '../create-app.js';
import { EventsService } from '../events/events.service.js';
import { Environment } from '../config/environment.js';
import { loggedError } from '../errors/logged-error.js';
import { Mounts } from '../config/mounts.js';
import { Log } from '../platform/observability/log.js';
import { Metrics } from '../platform/observability/metrics.js';
import { FileDescriptors } from '../platform/server/file-descriptors.js';
import { mostDraining, mostStopping } from '../platform/server/shutdown.js';
import { explainListenError } from './listen-error.js';
import { Shutdown } from '../platform/server/shutdown.js';
import { Startup } from '../platform/server/startup.js';
import { tell, workerKind } from '../platform/observability/worker-messages.js';

let isStopping = false;
let starting: Promise<void> = Promise.resolve();

/** Serves until it is told to end: a process alone, or one of several workers. Throws where it cannot start. */
export async function serve(): Promise<void> {
  const app = await wireApp();
  const end = () => void stop(app, 0);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => void fail(app, event, error));
  }
  app.get(FileDescriptors).watch(app.getHttpServer());
  // A worker beside others takes requests when it can answer them, not before.
  const isBesideOthers = workerKind() === 'further-worker';
  if (!isBesideOthers) await listen(app);
  starting = app.get(Startup).run(rootUrl(app));
  await starting;
  app.get(EventsService).startBackgroundWork();
  if (isBesideOthers && !isStopping) await listen(app);
  tell({ told: 'ready' });
}

async function listen(app: NestExpressApplication): Promise<void> {
  const { HOST, PORT } = app.get(Environment);
  await explainListenError('PORT', HOST === undefined ? app.listen(PORT) : app.listen(PORT, HOST));
  await explainListenError('METRICS_PORT', app.get(Metrics).listen());
  app.get(Log).info({ url: rootUrl(app) }, 'listening');
}

/** The address of the canonical mount. */
function rootUrl(app: NestExpressApplication): string {
  const environment = app.get(Environment);
  const address = app.getHttpServer().address() as AddressInfo | null;
  const port = address?.port ?? environment.PORT;
  return `http://${environment.HOST ?? 'localhost'}:${port}${new Mounts(environment).canonical}`;
}

/** Drains and ends the process. Who asks a second time is not kept waiting. */
async function stop(app: NestExpressApplication, code: number): Promise<void> {
  if (isStopping) {
    // A signal to a group of processes reaches a worker twice: it comes from its keeper, too.
    if (workerKind() !== undefined) return;
    process.exit(1);
  }
  isStopping = true;
  const environment = app.get(Environment);
  setTimeout(() => process.exit(1), mostStopping(environment)).unref();
  // A migration is under way like a request: the database is not taken from under it.
  const started = Promise.race([starting, sleep(mostDraining(environment), undefined, { ref: false })]);
  await Promise.all([app.get(Shutdown).drain(app.getHttpServer()), started.catch(() => undefined)]);
  await app.close();
  await app.get(Log).written();
  process.exit(code);
}

/** Nobody knows what state the process is in: what is under way may end, nothing more. */
async function fail(app: NestExpressApplication, event: string, error: unknown): Promise<void> {
  app.get(Log).error({ error: loggedError(error), msg: event });
  if (!isStopping) await stop(app, 1);
}
