import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.js';
import { audit } from '../audit.js';
import { DatabaseServer } from '../database-server.js';
import { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Writers } from '../writers.js';

const DATABASE = 'kalends';

/** One of two instances is killed without a word, again and again; clients send their writes again, to either. */
export const INSTANCE_KILLED: Scenario = {
  name: 'instance-killed',
  goal: 'A2',
  about: 'one of two instances killed -9 under load and started again',
  async run({ seed, isShort, tell }) {
    const random = new Random(seed);
    const kills = isShort ? 4 : 50;
    const server = await DatabaseServer.start('mariadb');
    await server.run(`CREATE DATABASE ${DATABASE}`);
    const settings = { DATABASE_URL: server.url(DATABASE) };
    const instances = [await Instance.start(settings), await Instance.start(settings)];
    const ledger = new Ledger();
    const writers = new Writers(ledger, instances, seed, 8);
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(random.between(300, isShort ? 1_000 : 3_000));
      const victim = random.pick(instances);
      await victim.kill();
      victim.launch();
      await victim.ready();
      if (kill % 5 === 0) tell(`killed ${kill} times, ${ledger.acknowledged} writes acknowledged`);
    }
    await writers.stop();
    const connection = await server.connect(DATABASE);
    const found = await audit(connection, ledger);
    await connection.end();
    await Promise.all(instances.map((instance) => instance.stop()));
    await server.stop();
    return {
      faults: `${kills} × kill -9`,
      ledger,
      audit: found,
      figures: [],
      broken: brokenByLedger(ledger, found),
    };
  },
};
