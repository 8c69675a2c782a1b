import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderFor } from './processes.js';

const MEGABYTE = Buffer.alloc(1024 * 1024);

/** A separate tmpfs file system that can be filled. Mounting it requires root. */
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
    // Prepended, because unmounting must come before the removal of the folders.
    process.prependOnceListener('exit', () => execFileSync('umount', ['--lazy', this.folder]));
    chmodSync(this.folder, 0o755);
  }

  /** Fills all free space. */
  fill(): void {
    const file = openSync(this.filler, 'a');
    for (let chunk = MEGABYTE; chunk.length > 0;) {
      try {
        writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        // The free space is smaller than the chunk, so the next chunk is half as large.
        chunk = chunk.subarray(0, chunk.length >> 1);
      }
    }
    closeSync(file);
  }

  /** Frees the space that `fill` used. */
  free(): void {
    rmSync(this.filler);
  }
}
