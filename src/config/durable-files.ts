import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Gives a whole file its name for good: a power cut leaves what had the name before, or all of it. */
export function renameDurably(from: string, to: string): void {
  flush(from);
  renameSync(from, to);
  flushFolder(dirname(to));
}

/** What was made, renamed and removed in a folder outlives a power cut from now on. */
export function flushFolder(path: string): void {
  try {
    flush(path);
  } catch (error) {
    // Not every system can: on those that cannot it is done by itself.
    if (!['EISDIR', 'EINVAL', 'EPERM', 'EACCES'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
