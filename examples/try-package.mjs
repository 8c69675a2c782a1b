// Packs the service, installs it in a copy of examples/rooms outside of the sources, builds that and runs its tests, on
// the engine of DATABASE_URL.
//   npm run test:examples rooms
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyTree, filesIn } from './copied-tree.mjs';

const EXAMPLE = 'examples/rooms';
const DRIVER = 'node_modules/better-sqlite3/build';

export async function tryPackage() {
  const sources = copyTree();
  const team = mkdtempSync(join(tmpdir(), 'kalends-team-'));
  const database = await newDatabase();
  const run = (command, ...args) => execFileSync(command, args, { cwd: team, stdio: 'inherit', env: database.env });
  try {
    console.log(`== ${EXAMPLE}: npm pack, npm install`);
    for (const path of filesIn(EXAMPLE)) {
      const copy = join(team, path.slice(EXAMPLE.length + 1));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(path, copy);
    }
    // Builds by its script `prepack`, also where the environment tells npm to ignore scripts.
    const pack = ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', team];
    execFileSync('npm', pack, { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
    run('npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    // Node.js 20 needs a driver that is compiled at its installation.
    if (existsSync(DRIVER)) cpSync(DRIVER, join(team, DRIVER), { recursive: true });
    mustBeSingle(team);
    run('npm', 'run', 'build');
    run('npm', 'test', '--ignore-scripts');
  } finally {
    rmSync(sources, { recursive: true, force: true });
    rmSync(team, { recursive: true, force: true });
    await database.drop();
  }
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

/** Creates an empty database on the server of DATABASE_URL. Without a server the tests use a SQLite file of their own. */
async function newDatabase() {
  const { DATABASE_URL: server = '', ...env } = process.env;
  if (!server.startsWith('mysql:')) return { env, drop: () => undefined };
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(server);
  const name = `rooms_${randomBytes(6).toString('hex')}`;
  await connection.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { ...env, DATABASE_URL: url.href },
    async drop() {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
}
