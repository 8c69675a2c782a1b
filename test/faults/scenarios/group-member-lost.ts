import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../audit.js';
import type { DatabaseServer } from '../database-server.js';
import { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { MysqlGroup } from '../mysql-group.js';
import { PrimaryRouter } from '../primary-router.js';
import { until } from '../processes.js';
import { brokenByLedger, type Scenario } from '../scenario.js';
import { Writers } from '../writers.js';

const DATABASE = 'kalends';

/** What befalls one member, and how it comes back. */
interface Fault {
  readonly what: string;
  readonly onPrimary: boolean;
  readonly begin: (member: DatabaseServer) => unknown;
  readonly end: (member: DatabaseServer, group: MysqlGroup) => unknown;
}

const killed = {
  begin: (member: DatabaseServer) => member.kill(),
  end: async (member: DatabaseServer, group: MysqlGroup) => {
    member.launch();
    await member.answering();
    await group.join(member);
  },
};
const FAULTS: readonly Fault[] = [
  { what: 'primary killed', onPrimary: true, ...killed },
  { what: 'secondary killed', onPrimary: false, ...killed },
  {
    what: 'primary cut off',
    onPrimary: true,
    begin: (member) => member.freeze(),
    end: async (member, group) => {
      member.thaw();
      await group.join(member);
    },
  },
];

/** Three MySQL servers with one primary, and two instances that reach it through a router. */
export const GROUP_MEMBER_LOST: Scenario = {
  name: 'group-member-lost',
  goal: 'A3',
  about:
    'of a MySQL group of three: the primary killed -9, a secondary killed -9, the primary frozen until it is expelled',
  async run({ seed, isShort, tell }) {
    const rounds = isShort ? 1 : 3;
    const group = await MysqlGroup.start();
    tell('the group of three is complete');
    await (await primaryOf(group)).run(`CREATE DATABASE ${DATABASE}`);
    const router = await PrimaryRouter.start(group);
    const settings = { DATABASE_URL: `mysql://root@127.0.0.1:${router.port}/${DATABASE}` };
    const instances = [await Instance.start(settings), await Instance.start(settings)];
    const ledger = new Ledger();
    const writers = new Writers(ledger, instances, seed, 8);
    const pauses = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      for (const fault of FAULTS) {
        await sleep(2_000);
        const pause = await suffer(fault, group, ledger);
        pauses.set(fault.what, Math.max(pause, pauses.get(fault.what) ?? 0));
        tell(`${fault.what}: ${Math.round(pause)} ms without a write, ${ledger.acknowledged} acknowledged`);
      }
    }
    await writers.stop();
    const connection = await (await primaryOf(group)).connect(DATABASE);
    const found = await audit(connection, ledger);
    await connection.end();
    await Promise.all(instances.map((instance) => instance.stop()));
    router.stop();
    await group.stop();
    return {
      faults: `${rounds} × each of ${FAULTS.length}`,
      ledger,
      audit: found,
      figures: [...pauses].map(([what, pause]) => `${what}: pause ${(pause / 1000).toFixed(1)} s at most`),
      broken: brokenByLedger(ledger, found),
    };
  },
};

/** Answers the longest time without an acknowledgement, until the writes have gone on for a while. */
async function suffer({ onPrimary, begin, end }: Fault, group: MysqlGroup, ledger: Ledger): Promise<number> {
  const primary = await primaryOf(group);
  const victim = onPrimary ? primary : (group.members.find((member) => member !== primary) as DatabaseServer);
  const longest = ledger.longestPause;
  ledger.longestPause = 0;
  await begin(victim);
  if (onPrimary) {
    await until('there is another primary', async () => ![undefined, victim].includes(await group.primary()));
  }
  const before = ledger.acknowledged;
  await until('writes go on', () => Promise.resolve(ledger.acknowledged > before + 20));
  const pause = ledger.longestPause;
  ledger.longestPause = Math.max(longest, pause);
  await end(victim, group);
  return pause;
}

async function primaryOf(group: MysqlGroup): Promise<DatabaseServer> {
  let primary: DatabaseServer | undefined;
  await until('the group has a primary', async () => (primary = await group.primary()) !== undefined);
  return primary as DatabaseServer;
}
