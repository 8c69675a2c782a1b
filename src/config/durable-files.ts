import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Renames a complete file. After a power cut, `to` is either the old file or the complete new one. */
export function renameDurably(from: string, to: string): void {
  flush(from);
  renameSync(from, to);
  flushFolder(dirname(to));
}

/** Flushes a folder, so that files made, renamed and removed in it stay so after a power cut. */
export function flushFolder(path: string): void {
  try {
    flush(path);
  } catch (error) {
    // Some systems cannot flush a folder: they keep its entries without it.
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
