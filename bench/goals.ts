import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { forEachDataSet } from './data-sets.js';
import { log } from './tell.js';

/**
 * Runs four benches on one data set of each size: `npm run bench:goals -- 10000 1000000`, on SQLite, or with `--own-server` on
 * MariaDB. A bench that fails does not keep the next from running, because the whole takes long.
 */
const PROGRAMS = ['hits', 'fresh', 'under-writes', 'large'];

await forEachDataSet('goals', { index: 'on', seconds: '3' }, async ({ url, sizes, seconds, rounds }) => {
  for (const program of PROGRAMS) {
    log(`${program} ${sizes.events}`);
    const file = join(import.meta.dirname, `${program}.js`);
    const options = ['--url', url, '--index', 'on', '--seconds', String(seconds), '--rounds', String(rounds)];
    const child = spawn(process.execPath, [file, String(sizes.events), ...options], { stdio: 'inherit' });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) continue;
    log(`${program} ended with ${code}`);
    process.exitCode = 1;
  }
});
