import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { audit } from '../faults/audit.js';
import { DatabaseServer } from '../faults/database-server.js';
import { ROOT } from '../faults/instance.js';
import { Ledger } from '../faults/ledger.js';
import { operatorOf } from '../faults/operator.js';
import { Visitors } from '../faults/visitors.js';
import { brokenByLedger } from '../faults/scenario.js';
import { PREFIX, startNginx } from '../support/nginx.js';
import { beforeNewestMigration, build } from './old-version.js';
import { Place } from './place.js';
import { wrongCounts } from './wrong-counts.js';

/**
 * Upgrades two instances behind nginx in turns under load, with the configuration of docker-compose.yml: from an older
 * commit to this one, back, and to this one again. Clients do not retry.
 */
const { values: options } = parseArgs({
  options: {
    from: { type: 'string' },
    engine: { type: 'string', default: 'mariadb' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: '20261122' },
  },
});
const DATABASE = 'kalends';
const NEW = join(ROOT, 'dist');
const from = options.from ?? (await beforeNewestMigration());
tell(`building ${from}`);
const OLD = await build(from);

const server = await DatabaseServer.start(options.engine === 'mysql' ? 'mysql' : 'mariadb');
await server.run(`CREATE DATABASE ${DATABASE}`);
const connection = await server.connect(DATABASE);
const url = server.url(DATABASE);
const settings = { DATABASE_URL: url, TRUST_PROXY: '127.0.0.1', SHUTDOWN_DELAY: deployedDelay() };
const places = [await Place.of(settings), await Place.of(settings)];
for (const place of places) await place.serve(OLD);
const gateway = await startNginx(places.map(({ port }) => port));

let broken = 0;
const ledger = new Ledger();
const visitors = new Visitors(ledger, { port: gateway.port, prefix: PREFIX }, Number(options.seed), {
  perSecond: Number(options.rate),
  writes: 0.2,
});
await change('upgrade', NEW);
await recount('after the upgrade');
await change('downgrade', OLD);
await change('upgrade again', NEW);
await recount('after the second upgrade');
await visitors.stop();
const found = await audit(operatorOf(connection), ledger);
const { lost, duplicated, halfWritten } = found;
report(
  'ledger',
  `${ledger.acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated, ${halfWritten} half-written`,
);
broken += brokenByLedger(ledger, found).length;
await connection.end();
await gateway.stop();
for (const place of places) await place.stop();
await server.stop();
process.exit(broken === 0 ? 0 : 1);

/** Changes the version of one instance after the other, with some seconds of load before, between and after. */
async function change(what: string, dist: string): Promise<void> {
  const [requests, failed, before] = [ledger.requests, ledger.failed, new Map(ledger.failures)];
  for (const place of places) {
    await pause();
    await place.serve(dist);
  }
  await pause();
  const failures = [...ledger.failures]
    .map(([outcome, count]) => ({ outcome, count: count - (before.get(outcome) ?? 0) }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => ` ${count} × ${outcome}`);
  report(what, `${ledger.requests - requests} requests, ${ledger.failed - failed} failed${failures.join()}`);
  broken += ledger.failed - failed;
}

/** Reports how many stored counts are wrong before and after `kalends recount`. */
async function recount(when: string): Promise<void> {
  const wrong = await wrongCounts(connection);
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [join(NEW, 'cli.js'), 'recount'], { env });
  const left = await wrongCounts(connection);
  report(`counts ${when}`, `${wrong} wrong, ${left} after kalends recount`);
  broken += left;
}

async function pause(): Promise<void> {
  await sleep(3_000);
}

/** Returns the SHUTDOWN_DELAY of the instances in docker-compose.yml. */
function deployedDelay(): string {
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  return compose.services['kalends-1']?.environment.SHUTDOWN_DELAY ?? '';
}

function report(what: string, text: string): void {
  process.stdout.write(`${what}: ${text}\n`);
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
