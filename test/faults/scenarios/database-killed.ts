import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { audit } from '../audit.js';
import { DatabaseServer } from '../database-server.js';
import { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { until } from '../processes.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Writers } from '../writers.js';

const DATABASE = 'kalends';
/** From the database taking connections to the first acknowledgement, in milliseconds (goal A1). */
const MOST_RECOVERY = 1_000;

/** A single server is killed as a power cut would, at random moments, and comes back. */
export const DATABASE_KILLED: Scenario = {
  name: 'database-killed',
  goal: 'A1',
  about: 'MariaDB killed -9 under load and started again',
  async run({ seed, isShort, tell }) {
    const random = new Random(seed);
    const kills = isShort ? 2 : 20;
    const server = await DatabaseServer.start('mariadb');
    await server.run(`CREATE DATABASE ${DATABASE}`);
    const instance = await Instance.start({ DATABASE_URL: server.url(DATABASE) });
    const ledger = new Ledger();
    const writers = new Writers(ledger, [instance], seed, 8);
    const recoveries: number[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(random.between(1_000, isShort ? 2_000 : 12_000));
      await server.kill();
      await sleep(random.between(0, 500));
      server.launch();
      await server.answering();
      const before = ledger.acknowledged;
      recoveries.push(await until('a write succeeds again', () => Promise.resolve(ledger.acknowledged > before)));
      tell(`killed ${kill} times, ${ledger.acknowledged} writes acknowledged`);
    }
    await writers.stop();
    const connection = await server.connect(DATABASE);
    const found = await audit(connection, ledger);
    await connection.end();
    await instance.stop();
    await server.stop();
    const slowest = Math.max(...recoveries);
    return {
      faults: `${kills} × kill -9`,
      ledger,
      audit: found,
      figures: [`first acknowledgement ${Math.round(slowest)} ms at most after the server took connections`],
      broken: [
        ...brokenByLedger(ledger, found),
        ...(slowest > MOST_RECOVERY && !isShort ? [`recovery took ${Math.round(slowest)} ms`] : []),
      ],
    };
  },
};
