import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PREFIX, startNginx } from '../../support/nginx.js';
import { auditOf } from '../audit.js';
import { ONE_INSTANCE } from '../engines.js';
import { indexFaults } from '../index-check.js';
import { type Instance, ROOT } from '../instance.js';
import { Ledger } from '../ledger.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { startTopology } from '../topology.js';
import { Visitors } from '../visitors.js';

/** Restarts two instances behind nginx in turns under load, with the configuration of the containers. */
export const ROLLING_RESTART: Scenario = {
  name: 'rolling-restart',
  goal: 'B1',
  about: 'two instances behind nginx restarted in turns under mixed GET and POST',
  leftOut: ONE_INSTANCE,
  async run({ engine, seed, isShort, tell }) {
    const { restarts, enough, perSecond } = isShort
      ? { restarts: 2, enough: 0, perSecond: 20 }
      : { restarts: 20, enough: 50_000, perSecond: 130 };
    const topology = await startTopology(engine, 2, { SHUTDOWN_DELAY: deployedDelay(), TRUST_PROXY: '127.0.0.1' });
    const { instances } = topology;
    const gateway = await startNginx(instances.map(({ port }) => port));
    const ledger = new Ledger();
    const target = { port: gateway.port, prefix: PREFIX };
    const visitors = new Visitors(ledger, target, seed, { perSecond, writes: 0.2 });
    let longestExit = 0;
    let restart = 0;
    for (; restart < restarts || ledger.requests < enough; restart += 1) {
      const instance = instances[restart % 2] as Instance;
      longestExit = Math.max(longestExit, await instance.stop());
      instance.launch();
      await instance.ready();
      tell(`restarted ${restart + 1} times, ${ledger.requests} requests, ${ledger.failed} failed`);
    }
    const differences = await indexFaults(topology);
    await visitors.stop();
    await gateway.stop();
    const found = await auditOf(topology, ledger);
    await topology.stop();
    return {
      faults: `${restart} restarts`,
      ledger,
      audit: found,
      figures: [`${perSecond} requests a second`, `longest exit ${(longestExit / 1000).toFixed(1)} s`],
      broken: [
        ...brokenByLedger(ledger, found),
        ...differences,
        ...(ledger.failed > 0 ? [`${ledger.failed} of ${ledger.requests} requests failed`] : []),
      ],
    };
  },
};

/** Returns the SHUTDOWN_DELAY of the instances in docker-compose.yml. */
function deployedDelay(): string {
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  return compose.services['kalends-1']?.environment.SHUTDOWN_DELAY ?? '';
}
