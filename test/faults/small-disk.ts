import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderFor } from './processes.js';

const MEGABYTE = Buffer.alloc(1024 * 1024);

/** A file system of its own, in memory, that can be filled. Mounting it takes root. */
export class SmallDisk {
  readonly folder = folderFor('disk');
  private readonly filler = join(this.folder, 'filler');

  constructor(megabytes: number) {
    const options = `size=${megabytes}m`;
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', this.folder], { stdio: 'pipe' });
    } catch (error) {
      throw new Error('a file system of a limited size cannot be mounted; it takes root', { cause: error });
    }
    // Before folders are removed.
    process.prependOnceListener('exit', () => execFileSync('umount', ['--lazy', this.folder]));
    chmodSync(this.folder, 0o755);
  }

  /** Takes all the space that is left. */
  fill(): void {
    const file = openSync(this.filler, 'a');
    for (let chunk = MEGABYTE; chunk.length > 0;) {
      try {
        writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        // What is left is less than a piece: smaller ones.
        chunk = chunk.subarray(0, chunk.length >> 1);
      }
    }
    closeSync(file);
  }

  /** Gives back what `fill` has taken. */
  free(): void {
    rmSync(this.filler);
  }
}
