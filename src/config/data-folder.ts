import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolder } from './durable-files.js';

/** Makes a folder and those above it. Node's own way never comes back where the system says that there is no parent, as in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
    flushFolder(dirname(path));
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}
