import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { wireApp } from './create-app.js';
import { Environment, InvalidEnvironment } from './platform/config/environment.js';
import { loggedError } from './platform/errors/logged-error.js';
import { Mounts } from './platform/http/mounts.js';
import { Log } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { Shutdown } from './platform/server/shutdown.js';
import { Startup } from './platform/server/startup.js';

// TypeORM converts times in the zone of the process.
process.env.TZ = 'UTC';

/** Beyond the time for draining, for closing the database, in milliseconds. */
const MOST_CLOSING = 5_000;

let isStopping = false;
let starting: Promise<void> = Promise.resolve();

try {
  const app = await wireApp();
  process.on('SIGTERM', () => void stop(app, 0)).on('SIGINT', () => void stop(app, 0));
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => void fail(app, event, error));
  }
  const rootUrl = await naming('PORT', listen(app));
  await naming('METRICS_PORT', app.get(Metrics).listen());
  app.get(Log).info({ url: rootUrl }, 'listening');
  starting = app.get(Startup).run(rootUrl);
  await starting;
} catch (error) {
  process.stderr.write(`${explain(error as Error)}\n`);
  process.exit(1);
}

/** Answers the address of the canonical mount. */
async function listen(app: NestExpressApplication): Promise<string> {
  const environment = app.get(Environment);
  await (environment.HOST === undefined
    ? app.listen(environment.PORT)
    : app.listen(environment.PORT, environment.HOST));
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${environment.HOST ?? 'localhost'}:${port}${new Mounts(environment).canonical}`;
}

/** Says which setting asks for what another process has. */
async function naming<Result>(setting: string, listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== 'EADDRINUSE') throw error;
    throw new InvalidEnvironment(`${setting}: another process listens there already (${message})`);
  }
}

/** Drains and ends the process. Who asks a second time is not kept waiting. */
async function stop(app: NestExpressApplication, code: number): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  const { SHUTDOWN_DELAY, SHUTDOWN_TIMEOUT } = app.get(Environment);
  const longest = (SHUTDOWN_DELAY + SHUTDOWN_TIMEOUT) * 1000;
  setTimeout(() => process.exit(1), longest + MOST_CLOSING).unref();
  // A migration is under way like a request: the database is not taken from under it.
  const started = Promise.race([starting, sleep(longest, undefined, { ref: false })]);
  await Promise.all([app.get(Shutdown).drain(app.getHttpServer()), started.catch(() => undefined)]);
  await app.close();
  process.exit(code);
}

/** Nobody knows what state the process is in: what is under way may end, nothing more. */
async function fail(app: NestExpressApplication, event: string, error: unknown): Promise<void> {
  app.get(Log).error({ error: loggedError(error), msg: event });
  if (!isStopping) await stop(app, 1);
}

function explain(error: Error): string {
  return error instanceof InvalidEnvironment ? error.message : (error.stack ?? error.message);
}
