// Writes into package-lock.json what npm must know about the SQLite drivers, and drops when it writes the file: npm run lock.
// Run it after each `npm install` that changes package-lock.json; test/service/dependencies.spec.ts fails otherwise.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);

/** What the lock says of a package, by its place. */
const FACTS = {
  // It has a ready-made binary. npm reads `gypfile` from the lock only, and without it runs node-gyp, which needs Python.
  'node_modules/better-sqlite3-13': { gypfile: false },
  // Only for Node.js 20. npm leaves out optional packages that do not fit the version of Node.js.
  'node_modules/better-sqlite3': { engines: { node: '20.x' } },
};

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
for (const [path, facts] of Object.entries(FACTS)) Object.assign(lock.packages[path], facts);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
