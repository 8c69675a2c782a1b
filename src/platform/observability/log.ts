import { Injectable, type LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';
import { Environment } from '../../config/environment.js';
import { openProcessLog } from './process-log.js';

/** The log: one JSON line an event, on standard output. It is the framework's logger too. */
@Injectable()
export class Log implements LoggerService {
  private readonly pino: Logger;
  /** Before an exit: done when what waits has been written, or nobody has read it in time. */
  readonly written: () => Promise<void>;

  constructor(environment: Environment) {
    const { lines, written } = openProcessLog(environment.LOG_LEVEL);
    this.pino = lines;
    this.written = written;
  }

  /** A line with fields of its own. */
  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** The framework puts the name of the speaker last. */
  private write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error', message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    if (typeof message === 'object' && message !== null) this.pino[level]({ context, ...message });
    else this.pino[level]({ context }, String(message));
    // What went wrong may be the last that the process has to tell.
    if (level === 'error') this.pino.flush();
  }
}
