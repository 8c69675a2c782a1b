import { ENGINES } from './engines.js';
import { readOptions } from './options.js';
import { line, writeReport } from './report.js';
import type { Scenario } from './scenario.js';
import { DATABASE_FROZEN } from './scenarios/database-frozen.js';
import { DATABASE_KILLED } from './scenarios/database-killed.js';
import { DISK_FULL } from './scenarios/disk-full.js';
import { GALERA_MEMBER_LOST } from './scenarios/galera-member-lost.js';
import { GROUP_MEMBER_LOST } from './scenarios/group-member-lost.js';
import { INSTANCE_KILLED } from './scenarios/instance-killed.js';
import { LOST_UPDATES } from './scenarios/lost-updates.js';
import { OVERLOAD } from './scenarios/overload.js';
import { RAW_BYTES } from './scenarios/raw-bytes.js';
import { REPLICA_PROMOTED } from './scenarios/replica-promoted.js';
import { ROLLING_RESTART } from './scenarios/rolling-restart.js';
import { SAME_KEY } from './scenarios/same-key.js';
import { SLOW_CLIENTS } from './scenarios/slow-clients.js';
import { SLOW_QUERIES } from './scenarios/slow-queries.js';

const SCENARIOS: readonly Scenario[] = [
  DATABASE_KILLED,
  INSTANCE_KILLED,
  ROLLING_RESTART,
  DATABASE_FROZEN,
  DISK_FULL,
  OVERLOAD,
  SLOW_QUERIES,
  SLOW_CLIENTS,
  LOST_UPDATES,
  SAME_KEY,
  GROUP_MEMBER_LOST,
  GALERA_MEMBER_LOST,
  REPLICA_PROMOTED,
  RAW_BYTES,
];
/** Scenarios for continuous integration. The nightly run includes all scenarios. */
const SHORT = [DATABASE_KILLED, INSTANCE_KILLED];

const options = readOptions();
const unknown = options.scenarios.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  tell(`There is no scenario ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const lines = new Map<Scenario, string>();
let kept = 0;
const { engine } = options;
const wanted =
  options.scenarios.length > 0
    ? SCENARIOS.filter(({ name }) => options.scenarios.includes(name))
    : options.isShort
      ? SHORT
      : SCENARIOS;
for (const { name, leftOut } of wanted) {
  const reason = leftOut?.[engine];
  if (reason !== undefined) tell(`${name}: left out on ${ENGINES[engine]}, because ${reason}`);
}
const chosen = wanted.filter(({ leftOut }) => leftOut?.[engine] === undefined);
for (const scenario of chosen) {
  const { name, about } = scenario;
  tell(`${name}: ${about}`);
  try {
    const findings = await scenario.run({ ...options, tell });
    const row = line(scenario, findings, options);
    lines.set(scenario, row);
    process.stdout.write(`${row}\n`);
    for (const text of findings.broken) tell(`${name}: NOT KEPT: ${text}`);
    if (findings.broken.length === 0) kept += 1;
  } catch (error) {
    tell(`${name}: FAILED: ${(error as Error).stack ?? String(error)}`);
  }
}
if (options.isReported) writeReport(SCENARIOS, engine, lines);
process.stdout.write(`${kept} passed, ${chosen.length - kept} failed\n`);
process.exit(kept === chosen.length && kept > 0 ? 0 : 1);

function tell(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
