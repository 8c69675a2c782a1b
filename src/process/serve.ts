import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestApplicationContext } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Database } from '../database/database.js';
import { BootstrapHold } from '../database/bootstrap-hold.js';
import { type Extension, wireApp } from '../create-app.js';
import { ApiDocuments } from '../docs/api-documents.js';
import { EventUpkeepService } from '../events/event.upkeep.service.js';
import { Environment } from '../config/environment.js';
import { loggedError } from '../errors/logged-error.js';
import { Mounts } from '../config/mounts.js';
import { Log } from '../platform/observability/log.js';
import { Metrics } from '../platform/observability/metrics.js';
import { FileDescriptors } from '../platform/server/file-descriptors.js';
import { drainTimeoutMs, stopTimeoutMs, Shutdown } from '../platform/server/shutdown.js';
import { explainListenError } from './listen-error.js';
import { Startup } from '../platform/server/startup.js';
import { FirstAdmin } from '../platform/auth/first-admin.js';
import { welcome } from './welcome.js';
import { WebhookDispatcher } from '../webhooks/dispatch/dispatcher.js';
import { sendToPrimary, workerKind } from '../platform/observability/worker-messages.js';

/** Loading takes a quarter of a second of processor time, which would delay the requests that wait for the start. */
const DOCUMENTATION_DELAY_MS = 10_000;

let isStopping = false;
let starting: Promise<void> = Promise.resolve();

/** Connections that wait to be accepted: beyond, clients would try again after a second. Systems allow 4,096 by default. */
const BACKLOG = 4_096;

/** Runs the server until a signal, as a single process or as a worker. Throws if it cannot start. */
export async function serve(extension: Extension = {}): Promise<void> {
  const app = await wireApp(extension);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(app, 0, signal));
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => void fail(app, event, error));
  }
  app.get(FileDescriptors).watch(app.getHttpServer());
  const initialized = app.init();
  // Awaited by the startup, which may still be waiting for the database.
  initialized.catch(() => undefined);
  const { reached } = app.get(BootstrapHold);
  // A module may ask the database in `onModuleInit`. Then the server connects before it listens.
  const isWanted = await Promise.race([reached, initialized, app.get(Database).startup.wanted.then(() => true)]);
  // A further worker listens only when it is ready, because other workers serve meanwhile.
  const isFurtherWorker = workerKind() === 'further-worker';
  const listenFirst = () => (isFurtherWorker ? undefined : listen(app));
  if (isWanted !== true) await listenFirst();
  starting = app.get(Startup).run(
    apiRootOf(app),
    initialized.then(() => app.get(EventUpkeepService).loadIndex()),
  );
  if (isWanted === true) await Promise.race([reached, starting]).then(listenFirst);
  await starting;
  app.get(EventUpkeepService).startBackgroundWork();
  dispatcherOf(app)?.start();
  if (isFurtherWorker && !isStopping) await listen(app);
  sendToPrimary({ type: 'ready' });
  if (app.get(Log).isPretty && !isFurtherWorker && !isStopping) {
    process.stdout.write(welcome({ apiRoot: apiRootOf(app), tokenPlace: await app.get(FirstAdmin).tokenPlace() }));
  }
  void loadLater(app);
}

/** Returns what sends webhooks. undefined: they are switched off. */
function dispatcherOf(app: NestExpressApplication): WebhookDispatcher | undefined {
  return app.get(Environment).WEBHOOKS ? app.get(WebhookDispatcher) : undefined;
}

/** Loads what the first requests do not need. Until then a request for the documentation loads it itself. */
async function loadLater(app: NestExpressApplication): Promise<void> {
  await sleep(DOCUMENTATION_DELAY_MS, undefined, { ref: false });
  if (isStopping) return;
  // Starts the thread for scans of an embedded database, whose files a later `npm ci` may remove.
  await app
    .get(Database)
    .scans.query('SELECT 1')
    .catch(() => undefined);
  const log = app.get(Log);
  try {
    await app.get(ApiDocuments).load();
    log.debug('the documentation is loaded');
  } catch (error) {
    log.warn({ error: loggedError(error), msg: 'the documentation cannot be loaded yet' });
  }
}

async function listen(app: NestExpressApplication): Promise<void> {
  const { HOST, PORT, METRICS_PORT = 0 } = app.get(Environment);
  const server = app.getHttpServer();
  // Not `app.listen`, which waits for the bootstrap of modules, and so for the database.
  server.listen({ port: PORT, host: HOST, backlog: BACKLOG });
  await explainListenError('PORT', PORT, once(server, 'listening'));
  await explainListenError('METRICS_PORT', METRICS_PORT, app.get(Metrics).listen());
  app.get(Log).startStep({ url: apiRootOf(app) }, 'listening');
}

/** Returns the URL of the canonical mount. */
function apiRootOf(app: NestExpressApplication): string {
  const environment = app.get(Environment);
  const address = app.getHttpServer().address() as AddressInfo | null;
  const port = address?.port ?? environment.PORT;
  return `http://${hostOf(environment)}:${port}${new Mounts(environment).canonical}`;
}

/** The addresses of HOST that mean all addresses of the machine. */
const ALL_ADDRESSES = ['0.0.0.0', '::'];

function hostOf({ HOST = '::' }: Environment): string {
  if (ALL_ADDRESSES.includes(HOST)) return 'localhost';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}

/** Drains and ends the process. A second signal ends it immediately. Modules learn the first one by their hooks. */
async function stop(app: NestExpressApplication, code: number, signal?: string): Promise<void> {
  if (isStopping) {
    // A signal to a process group reaches a worker twice, because the primary process sends it, too.
    if (workerKind() !== undefined) return;
    process.exit(1);
  }
  isStopping = true;
  const environment = app.get(Environment);
  setTimeout(() => process.exit(1), stopTimeoutMs(environment)).unref();
  // A migration may finish like a request before the database is closed.
  const started = Promise.race([starting, sleep(drainTimeoutMs(environment), undefined, { ref: false })]);
  const dispatched = dispatcherOf(app)?.stop();
  await Promise.all([app.get(Shutdown).drain(app.getHttpServer()), started.catch(() => undefined), dispatched]);
  // The type of `app` omits the parameter.
  const context: Pick<NestApplicationContext, 'close'> = app;
  await context.close(signal);
  await app.get(Log).written();
  process.exit(code);
}

/** Stops after an uncaught error, because the state of the process is unknown. Running requests may finish. */
async function fail(app: NestExpressApplication, event: string, error: unknown): Promise<void> {
  app.get(Log).error({ error: loggedError(error), msg: event });
  if (!isStopping) await stop(app, 1);
}
