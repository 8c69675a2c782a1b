import { join } from 'node:path';
import { openDriver } from './database.js';
import { sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { createDatabase } from './dataset/place.js';
import { measure, type Run } from './measure.js';
import { startKalends } from './processes.js';
import { allWorkloads } from './workloads.js';

/*
 * Measures what an ordinary module (ordinary-module.ts) costs the routes of the service, on SQLite: node
 * bench/dist/bench/modules.js [seconds of a run]. Both services run alternately, so that disturbances affect both. Prints the
 * ratios of the rates and of the processor time of a request. It fails if the latter, which other processes hardly change, is
 * above the bound.
 */
const EVENTS = 2_000;
const WORKLOADS = ['list10', 'id', '304', 'create'];
const MAX_CPU_RATIO = 1.05;
const SETTINGS: Readonly<Record<string, Record<string, string>>> = {
  'with caches': {},
  'no caches': { CACHE_ENTRIES: '0' },
};

const seconds = Number(process.argv[2] ?? 2);
const plan = { seconds, warmUp: 2 * seconds, rounds: 5, connections: 8, databasePid: 0 };
const program = join(import.meta.dirname, 'ordinary-module.js');
for (const [caches, settings] of Object.entries(SETTINGS)) {
  const databases = [await createDatabase(undefined, 'without'), await createDatabase(undefined, 'with')] as const;
  for (const { url } of databases) await load(url, sizesFor(EVENTS));
  const driver = openDriver(databases[0].url);
  const workloads = (await allWorkloads(driver, sizesFor(EVENTS))).filter(({ name }) => WORKLOADS.includes(name));
  await driver.close();
  const contenders = [
    await startKalends(databases[0].url, { name: 'without', settings }),
    await startKalends(databases[1].url, { name: 'with', settings, program }),
  ];
  try {
    for (const workload of workloads) {
      const runs = await measure(workload, contenders, plan);
      const [before, now] = [runs.get('without') as Run, runs.get('with') as Run];
      const rate = now.requestsPerSecond / before.requestsPerSecond;
      const cpu = now.cpu / before.cpu;
      const rates = `${now.requestsPerSecond.toFixed(0)} and ${before.requestsPerSecond.toFixed(0)} requests a second`;
      console.log(`${workload.about}, ${caches}: rate ${rate.toFixed(2)} (${rates}), CPU ${cpu.toFixed(2)}`);
      if (cpu > MAX_CPU_RATIO) process.exitCode = 1;
    }
  } finally {
    for (const contender of contenders) await contender.stop();
    for (const database of databases) await database.drop();
  }
}
