import type { AddressInfo } from 'node:net';
import { createApp } from './create-app.js';
import { FirstStart } from './platform/auth/first-start.js';
import { Environment, InvalidEnvironment } from './platform/config/environment.js';
import { Mounts } from './platform/http/mounts.js';
import { Log } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';

// TypeORM converts times in the zone of the process.
process.env.TZ = 'UTC';

try {
  const app = await createApp();
  const environment = app.get(Environment);
  app.enableShutdownHooks();
  await (environment.HOST === undefined
    ? app.listen(environment.PORT)
    : app.listen(environment.PORT, environment.HOST));
  const { port } = app.getHttpServer().address() as AddressInfo;
  const rootUrl = `http://${environment.HOST ?? 'localhost'}:${port}${new Mounts(environment).canonical}`;
  await app.get(FirstStart).run(rootUrl);
  await app.get(Metrics).listen();
  app.get(Log).info({ url: rootUrl }, 'listening');
} catch (error) {
  process.stderr.write(`${explain(error as Error & { code?: string })}\n`);
  process.exit(1);
}

function explain(error: Error & { code?: string }): string {
  if (error instanceof InvalidEnvironment) return error.message;
  if (error.code === 'EADDRINUSE') return `PORT: another process listens there already (${error.message})`;
  return error.stack ?? error.message;
}
