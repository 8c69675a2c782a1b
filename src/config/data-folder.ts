import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolder } from './durable-files.js';

/** Makes a folder and its parents. Node's `mkdirSync` with `recursive` never returns below folders such as /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
    flushFolder(dirname(path));
  } catch (error) {
    // Another process may have made the folder in the meantime.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}
