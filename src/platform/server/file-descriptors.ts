import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { devNull } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '../observability/log.js';

const CHECK_INTERVAL_MS = 500;
const EXHAUSTED_CODES = ['EMFILE', 'ENFILE'];

/**
 * Logs when the process runs out of file descriptors, and when it has some again. Node reports nothing when the
 * operating system then closes connections, so this opens a file regularly as a test.
 */
@Injectable()
export class FileDescriptors implements OnApplicationShutdown {
  private isExhausted = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {}

  watch(server: Server): void {
    // Without a listener, a failed `accept` would end the process. Other listeners report all other errors.
    server.on('error', () => undefined);
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    const code = await open(devNull).then(
      (file) => file.close().then(() => undefined),
      (error: NodeJS.ErrnoException) => error.code,
    );
    const isExhausted = code !== undefined && EXHAUSTED_CODES.includes(code);
    if (isExhausted === this.isExhausted) return;
    this.isExhausted = isExhausted;
    this.log.warn(
      isExhausted
        ? 'no file descriptors are left: further connections are closed; raise the limit (ulimit -n) or lower MAX_CONNECTIONS'
        : 'there are file descriptors again',
    );
  }
}
