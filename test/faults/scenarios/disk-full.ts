import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINES, NO_SERVER, type ServerEngine } from '../engines.js';
import type { Instance } from '../instance.js';
import { Ledger } from '../ledger.js';
import { until } from '../processes.js';
import type { Scenario } from '../scenario.js';
import { SmallDisk } from '../small-disk.js';
import { SingleServer } from '../topology.js';
import { underWriters } from '../under-writers.js';
import { Visitors } from '../visitors.js';

/** MySQL's empty database is larger, because of its redo log. */
const MEGABYTES: Record<ServerEngine, number> = { mariadb: 400, mysql: 800 };
/** Deadline of a write (5 s) and 1.5 s for work outside the database, in milliseconds. */
const MOST_ANSWER = 5_000 + 1_500;
/** Longest time from free space to the first acknowledged write, in milliseconds (goal A8). MySQL looks once a minute. */
const MOST_RECOVERY: Record<ServerEngine, number> = { mariadb: 5_000, mysql: 65_000 };
/** Writes before each fault, because MariaDB exits if tables that have just begun to grow find no space. */
const WRITES_BETWEEN = 100;
const LEAST_READS = 0.99;
/** Large enough to use up the free pages of the tables soon. */
const DESCRIPTION = 'Long and rarely read. '.repeat(1_000);

/** The server waits for space without an error. Reads are served, and writes are rejected in time. */
export const DISK_FULL: Scenario = {
  name: 'disk-full',
  goal: 'A8',
  about: 'the file system of the database server filled under load, and space given back',
  leftOut: NO_SERVER,
  async run({ engine, seed, isShort, tell }) {
    const rounds = isShort ? 1 : 3;
    const disk = new SmallDisk(MEGABYTES[engine as ServerEngine]);
    const topology = await SingleServer.start(engine, 1, {}, disk.folder);
    const [target] = topology.instances as [Instance];
    const work = async (ledger: Ledger) => {
      const recoveries: number[] = [];
      const reads = { requests: 0, failed: 0 };
      let crashes = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const filled = ledger.acknowledged + WRITES_BETWEEN;
        await until('clients write', () => ledger.acknowledged > filled, 120_000);
        disk.fill();
        await until('no write succeeds any more', () => ledger.sinceAcknowledgement > 6_000, 120_000);
        const seen = new Ledger();
        const readers = new Visitors(seen, target, seed + round, { perSecond: 20, writes: 0 });
        await sleep(isShort ? 5_000 : 20_000);
        await readers.stop();
        const before = ledger.acknowledged;
        disk.free();
        if (!topology.server.isRunning) {
          crashes += 1;
          topology.server.launch();
          await topology.server.answering();
        } else {
          reads.requests += seen.requests;
          reads.failed += seen.failed;
        }
        recoveries.push(await until('a write succeeds again', () => ledger.acknowledged > before, 120_000));
        tell(`filled ${round} times, ${ledger.acknowledged} writes acknowledged`);
      }
      await sleep(2_000);
      const recovery = Math.max(...recoveries);
      const unexpected = [...ledger.failures.keys()].filter((outcome) => !['503', '409'].includes(outcome));
      return {
        faults: `${rounds} × no space left`,
        figures: [
          `meanwhile ${reads.requests} reads, ${reads.failed} failed`,
          `first acknowledgement ${Math.round(recovery)} ms at most after there was space`,
          `${ENGINES[engine]} ended by itself ${crashes} times, whose reads do not count`,
        ],
        broken: [
          ...(ledger.slowest > MOST_ANSWER ? [`an answer took ${Math.round(ledger.slowest)} ms`] : []),
          ...(reads.failed > reads.requests * (1 - LEAST_READS) ? [`${reads.failed} reads failed`] : []),
          ...(recovery > MOST_RECOVERY[engine as ServerEngine] ? [`recovery took ${Math.round(recovery)} ms`] : []),
          ...(unexpected.length > 0 ? [`answers other than 503 and 409: ${unexpected.join(', ')}`] : []),
        ],
      };
    };
    return underWriters(topology, seed, work, { description: DESCRIPTION });
  },
};
