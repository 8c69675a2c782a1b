import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { devNull } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '../observability/log.js';

const PAUSE_MILLISECONDS = 500;
const EXHAUSTED = ['EMFILE', 'ENFILE'];

/**
 * Tells when the process has no file descriptors left, once, and when it has some again. Connections are closed unheard
 * then, below Node, which says nothing of it: so one is tried for.
 */
@Injectable()
export class FileDescriptors implements OnApplicationShutdown {
  private isExhausted = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Log) {}

  watch(server: Server): void {
    // What cannot be accepted is no reason to end the process; whatever else is wrong, others hear as well.
    server.on('error', () => undefined);
    this.timer = setInterval(() => void this.look(), PAUSE_MILLISECONDS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const code = await open(devNull).then(
      (file) => file.close().then(() => undefined),
      (error: NodeJS.ErrnoException) => error.code,
    );
    const isExhausted = code !== undefined && EXHAUSTED.includes(code);
    if (isExhausted === this.isExhausted) return;
    this.isExhausted = isExhausted;
    this.log.warn(
      isExhausted
        ? 'no file descriptors are left: further connections are closed; raise the limit (ulimit -n) or lower MAX_CONNECTIONS'
        : 'there are file descriptors again',
    );
  }
}
