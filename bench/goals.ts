import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { log } from './tell.js';

/**
 * Runs the benches of both sizes one after the other: `npm run bench:goals`, on SQLite, or with `--own-server` on MariaDB. A
 * bench that fails does not keep the next from running, because the whole takes hours.
 */
const SIZES = ['10000', '1000000'];
const PROGRAMS = ['hits', 'fresh', 'under-writes', 'large'];

for (const program of PROGRAMS) {
  log(`${program} ${SIZES.join(' ')}`);
  const command = [join(import.meta.dirname, `${program}.js`), ...SIZES, ...process.argv.slice(2)];
  const [code] = (await once(spawn(process.execPath, command, { stdio: 'inherit' }), 'close')) as [number | null];
  if (code !== 0) {
    log(`${program} ended with ${code}`);
    process.exitCode = 1;
  }
}
