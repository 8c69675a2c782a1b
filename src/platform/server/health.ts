import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Connector } from '../../database/connector.js';
import { Log } from '../observability/log.js';

/** Why no requests should be sent here; undefined: they should. */
type Unready = 'starting' | 'database' | 'stopping' | undefined;

const WATCH_MILLISECONDS = 500;

/** Whether this instance can serve, kept up to date in the background: who asks gets an answer at once. */
@Injectable()
export class Health implements OnApplicationShutdown {
  private isStarted = false;
  private isReachable = true;
  private isDraining = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connector: Connector,
    private readonly log: Log,
  ) {}

  get unready(): Unready {
    if (this.isDraining) return 'stopping';
    if (!this.isStarted) return 'starting';
    return this.isReachable ? undefined : 'database';
  }

  /** Whether connections are not to be used any more. */
  get isStopping(): boolean {
    return this.isDraining;
  }

  /** The database is there and in order. */
  start(): void {
    this.isStarted = true;
    this.watch();
  }

  stop(): void {
    this.isDraining = true;
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.connector.close();
  }

  private watch(): void {
    const next = () =>
      this.connector.ping().then(
        () => this.note(true),
        () => this.note(false),
      );
    this.timer = setTimeout(() => void next(), WATCH_MILLISECONDS).unref();
  }

  private note(isReachable: boolean): void {
    if (this.timer === undefined) {
      this.connector.close();
      return;
    }
    if (isReachable !== this.isReachable) {
      this.log.warn(isReachable ? 'the database answers again' : 'the database does not answer');
    }
    this.isReachable = isReachable;
    this.watch();
  }
}
