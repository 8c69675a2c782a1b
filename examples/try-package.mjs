// Packs the service, installs it in a copy of examples/rooms outside of the sources, builds that and runs its tests, once
// on each of several databases.
//   npm run test:examples rooms
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesIn } from './copied-tree.mjs';

const EXAMPLE = 'examples/rooms';
const DRIVER = 'node_modules/better-sqlite3/build';

/** `urls`: a database server (`mysql://…`) for each run of the tests; anything else means a SQLite file. */
export async function tryPackage(urls) {
  const team = mkdtempSync(join(tmpdir(), 'kalends-team-'));
  const { DATABASE_URL: _, ...env } = process.env;
  const run = (command, args, more) =>
    execFileSync(command, args, { cwd: team, stdio: 'inherit', env: { ...env, ...more } });
  try {
    console.log(`== ${EXAMPLE}: npm pack, npm install`);
    for (const path of filesIn(EXAMPLE)) {
      const copy = join(team, path.slice(EXAMPLE.length + 1));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(path, copy);
    }
    mustBuild();
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', team];
    execFileSync('npm', pack, { stdio: ['ignore', 'ignore', 'inherit'] });
    run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    // Node.js 20 needs a driver that is compiled at its installation.
    if (existsSync(DRIVER)) cpSync(DRIVER, join(team, DRIVER), { recursive: true });
    mustBeSingle(team);
    run('npm', ['run', 'build']);
    for (const url of urls) {
      console.log(`== ${EXAMPLE}: ${isServer(url) ? new URL(url).host : 'SQLite'}`);
      await withDatabase(url, (settings) => run('npm', ['test', '--ignore-scripts'], settings));
    }
  } finally {
    rmSync(team, { recursive: true, force: true });
  }
}

/** Fails if `npm pack` would not build. Here it packs what `npm run test:examples` has built. */
function mustBuild() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (scripts.prepack !== 'npm run build') throw new Error(`npm pack runs ${scripts.prepack}`);
}

/** Fails if a peer of the service is installed twice, because two copies have separate metadata and providers. */
function mustBeSingle(team) {
  const read = (path) => JSON.parse(readFileSync(join(team, path), 'utf8'));
  const paths = Object.keys(read('node_modules/.package-lock.json').packages);
  for (const name of Object.keys(read('node_modules/kalends/package.json').peerDependencies)) {
    const copies = paths.filter((path) => path.endsWith(`node_modules/${name}`));
    if (copies.length !== 1) throw new Error(`${copies.length} copies of ${name}: ${copies.join(', ')}`);
  }
}

const isServer = (url = '') => url.startsWith('mysql:');

/** Runs `work` with an empty database on a server. Without a server the tests use a SQLite file of their own. */
async function withDatabase(server, work) {
  if (!isServer(server)) return work({});
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(server);
  const name = `rooms_${randomBytes(6).toString('hex')}`;
  await connection.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    work({ DATABASE_URL: url.href });
  } finally {
    await connection.query(`DROP DATABASE ${name}`);
    await connection.end();
  }
}
