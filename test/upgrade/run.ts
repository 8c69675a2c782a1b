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
import { indexFaults } from '../faults/index-check.js';

/**
 * Upgrades two instances behind nginx, with the configuration of docker-compose.yml, from an older commit to this one: all
 * instances stop, `kalends migrate`, all start. Clients write and read before and after it, and do not retry.
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
const SECONDS_OF_LOAD = 10;
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
await visit('before', 1);
await timed('all instances stop', () => Promise.all(places.map((place) => place.stop())));
await timed('kalends migrate', migrate);
await timed('all instances start', () => Promise.all(places.map((place) => place.serve(NEW))));
await visit('after', 2);
const differences = await indexFaults({ databaseUrl: url });
report('kalends check', differences.length === 0 ? 'no difference' : differences.join('; '));
broken += differences.length;
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

/** Some seconds of load by clients that do not retry. */
async function visit(when: string, run: number): Promise<void> {
  const [requests, failed] = [ledger.requests, ledger.failed];
  const seed = Number(options.seed) + run;
  const habits = { perSecond: Number(options.rate), writes: 0.2 };
  const visitors = new Visitors(ledger, { port: gateway.port, prefix: PREFIX }, seed, habits);
  await sleep(SECONDS_OF_LOAD * 1000);
  await visitors.stop();
  const failures = [...ledger.failures].map(([outcome, count]) => ` ${count} × ${outcome}`);
  report(`load ${when}`, `${ledger.requests - requests} requests, ${ledger.failed - failed} failed${failures.join()}`);
  broken += ledger.failed - failed;
}

async function migrate(): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [join(NEW, 'cli.js'), 'migrate'], { env });
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  report(what, `${((performance.now() - began) / 1000).toFixed(1)} s`);
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
