import { auditOf } from './audit.js';
import { indexFaults } from './index-check.js';
import { Ledger } from './ledger.js';
import { brokenByLedger, type Findings } from './scenario.js';
import type { Topology } from './topology.js';
import { type Habits, Writers } from './writers.js';

/** What a scenario did and saw while clients were writing. */
type Seen = Pick<Findings, 'faults' | 'figures' | 'broken'>;

/** Runs `work` while clients write, then compares the database with the acknowledged writes, and with the index of events. */
export async function underWriters(
  topology: Topology,
  seed: number,
  work: (ledger: Ledger) => Promise<Seen>,
  habits?: Partial<Habits>,
): Promise<Findings> {
  const ledger = new Ledger();
  const writers = new Writers(ledger, topology.instances, seed, habits);
  const { faults, figures, broken } = await work(ledger);
  const differences = await indexFaults(topology);
  await writers.stop();
  const found = await auditOf(topology, ledger);
  await topology.stop();
  return {
    faults,
    ledger,
    audit: found,
    figures,
    broken: [...brokenByLedger(ledger, found), ...differences, ...broken],
  };
}
