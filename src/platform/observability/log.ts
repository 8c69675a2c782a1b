import { Injectable, type LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';
import { Environment } from '../../config/environment.js';
import { isPretty, openProcessLog } from './process-log.js';

/** Classes of Nest that log each module and route at the start. */
const LOGS_DETAILS = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/** Logs one line per event to standard output. Also the logger of Nest. */
@Injectable()
export class Log implements LoggerService {
  private readonly pino: Logger;
  /** Call before an exit. Resolves when all lines are written, or at a timeout. */
  readonly written: () => Promise<void>;
  /** Whether the lines are text for people, on a terminal. */
  readonly isPretty: boolean;

  constructor(environment: Environment) {
    const { lines, written } = openProcessLog(environment);
    this.pino = lines;
    this.written = written;
    this.isPretty = isPretty(environment);
  }

  /** Logs a message with fields. */
  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  /** Logs a step of the start, for programs. People get the welcome instead. */
  startStep(fields: object, message: string): void {
    if (!this.isPretty) this.pino.info(fields, message);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(LOGS_DETAILS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
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

  /** Nest passes the name of the logging class as the last argument. */
  private write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error', message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    if (typeof message === 'object' && message !== null) this.pino[level]({ context, ...message });
    else this.pino[level]({ context }, String(message));
    // An error may be the last line before a crash, so it is written immediately.
    if (level === 'error') this.pino.flush();
  }
}
