import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, primaryOf, type RoutedCluster } from './cluster.js';
import type { DatabaseServer } from './database-server.js';
import type { Ledger } from './ledger.js';
import { until } from './processes.js';
import type { Conditions, Findings } from './scenario.js';
import { underWriters } from './under-writers.js';

/** A fault of one member and its end. By default the member is killed by SIGKILL and started again. */
export interface Fault {
  readonly what: string;
  readonly onPrimary: boolean;
  readonly begin?: (member: DatabaseServer) => unknown;
  readonly end?: (member: DatabaseServer) => unknown;
  /** Maximum time without a write, in milliseconds (goals A3, A4). */
  readonly mostPause: number;
}

/** Applies one fault after the other while clients write. */
export function loseMembers(
  topology: RoutedCluster,
  faults: readonly Fault[],
  rounds: number,
  { seed, tell }: Conditions,
): Promise<Findings> {
  return underWriters(topology, seed, async (ledger) => {
    const pauses = faults.map(() => 0);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, fault] of faults.entries()) {
        await sleep(3_000);
        const pause = await suffer(fault, topology.cluster, ledger);
        pauses[index] = Math.max(pause, pauses[index] ?? 0);
        tell(`${fault.what}: ${Math.round(pause)} ms without a write, ${ledger.acknowledged} acknowledged`);
      }
    }
    return {
      faults: faults.length === 1 ? `${rounds} × ${faults[0]?.what}` : `${rounds} × each of ${faults.length}`,
      figures: faults.map(({ what }, index) => `${what}: pause ${seconds(pauses[index])} at most`),
      broken: faults.flatMap(({ what, mostPause }, index) =>
        (pauses[index] ?? 0) > mostPause ? [`${what}: ${seconds(pauses[index])} without a write`] : [],
      ),
    };
  });
}

/** Applies a fault. Returns the longest time without an acknowledged write, in milliseconds. */
async function suffer(fault: Fault, cluster: Cluster, ledger: Ledger): Promise<number> {
  const { onPrimary, begin = (member) => member.kill(), end = (member) => cluster.revive(member) } = fault;
  const primary = await primaryOf(cluster);
  const victim = onPrimary ? primary : (cluster.members.find((member) => member !== primary) as DatabaseServer);
  const longest = ledger.longestPause;
  ledger.longestPause = 0;
  await begin(victim);
  if (onPrimary) {
    await until('there is another primary', async () => ![undefined, victim].includes(await cluster.primary()));
  }
  const before = ledger.acknowledged;
  await until('writes go on', () => ledger.acknowledged > before + 20);
  const pause = ledger.longestPause;
  ledger.longestPause = Math.max(longest, pause);
  await end(victim);
  return pause;
}

function seconds(milliseconds = 0): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
