import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { devNull } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '../observability/log.js';

const CHECK_INTERVAL_MS = 500;
const EXHAUSTED_CODES = ['EMFILE', 'ENFILE'];

/** Whether a file could not be opened because the process, or the machine, has no free file descriptor. */
export function lacksFileDescriptor(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return EXHAUSTED_CODES.includes(code);
}

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
    const isExhausted = await open(devNull).then((file) => file.close().then(() => false), lacksFileDescriptor);
    if (isExhausted === this.isExhausted) return;
    this.isExhausted = isExhausted;
    this.log.warn(
      isExhausted
        ? 'no file descriptors are left: further connections are closed; raise the limit (ulimit -n) or lower MAX_CONNECTIONS'
        : 'there are file descriptors again',
    );
  }
}
