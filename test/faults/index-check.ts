import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './instance.js';
import { folderFor } from './processes.js';
import type { Topology } from './topology.js';

/** How long the check follows the change record, in seconds. */
const FOLLOWED_SECONDS = 5;

/**
 * Runs `kalends check`: it follows the change record, best while clients write, and compares an index of events with the
 * database. Returns what it says if they differ.
 */
export function indexFaults({ databaseUrl }: Pick<Topology, 'databaseUrl'>): Promise<string[]> {
  const { PATH = '' } = process.env;
  const command = [join(ROOT, 'dist', 'cli.js'), 'check', '--during', String(FOLLOWED_SECONDS)];
  const options = { cwd: folderFor('check'), env: { PATH, DATABASE_URL: databaseUrl } };
  return new Promise((done) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      done(error === null ? [] : [`kalends check: ${stdout}${stderr}`]),
    );
  });
}
