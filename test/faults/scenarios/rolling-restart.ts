import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PREFIX, startNginx } from '../../support/nginx.js';
import { audit } from '../audit.js';
import { DatabaseServer } from '../database-server.js';
import { Instance, ROOT } from '../instance.js';
import { Ledger } from '../ledger.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Visitors } from '../visitors.js';

const DATABASE = 'kalends';

/** Two instances behind nginx, both as the containers have them, are restarted in turns while visitors come. */
export const ROLLING_RESTART: Scenario = {
  name: 'rolling-restart',
  goal: 'B1',
  about: 'two instances behind nginx restarted in turns under mixed GET and POST',
  async run({ seed, isShort, tell }) {
    const restarts = isShort ? 2 : 20;
    const server = await DatabaseServer.start('mariadb');
    await server.run(`CREATE DATABASE ${DATABASE}`);
    const settings = {
      DATABASE_URL: server.url(DATABASE),
      SHUTDOWN_DELAY: deployedDelay(),
      TRUST_PROXY: '127.0.0.1',
    };
    const instances = [await Instance.start(settings), await Instance.start(settings)];
    const gateway = await startNginx(instances.map(({ port }) => port));
    const ledger = new Ledger();
    const target = { port: gateway.port, prefix: PREFIX };
    const visitors = new Visitors(ledger, target, seed, { perSecond: isShort ? 20 : 200, writes: 0.2 });
    let longestExit = 0;
    for (let restart = 0; restart < restarts; restart += 1) {
      const instance = instances[restart % 2] as Instance;
      longestExit = Math.max(longestExit, await instance.stop());
      instance.launch();
      await instance.ready();
      tell(`restarted ${restart + 1} times, ${ledger.requests} requests, ${ledger.failed} failed`);
    }
    await visitors.stop();
    await gateway.stop();
    const connection = await server.connect(DATABASE);
    const found = await audit(connection, ledger);
    await connection.end();
    await Promise.all(instances.map((instance) => instance.stop()));
    await server.stop();
    return {
      faults: `${restarts} restarts`,
      ledger,
      audit: found,
      figures: [`longest exit ${(longestExit / 1000).toFixed(1)} s`],
      broken: [
        ...brokenByLedger(ledger, found),
        ...(ledger.failed > 0 ? [`${ledger.failed} of ${ledger.requests} requests failed`] : []),
      ],
    };
  },
};

/** What docker-compose.yml gives the instances. */
function deployedDelay(): string {
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  return compose.services['kalends-1']?.environment.SHUTDOWN_DELAY ?? '';
}
