import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Connector } from '../../database/connector.js';
import { Log } from '../observability/log.js';

/** Why the instance is not ready; undefined: it is ready. */
type UnreadyReason = 'starting' | 'database' | 'stopping' | undefined;

const CHECK_INTERVAL_MS = 500;

/** Whether this instance is ready. Checks the database in the background, so that probes need not wait. */
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

  get unreadyReason(): UnreadyReason {
    if (this.isDraining) return 'stopping';
    if (!this.isStarted) return 'starting';
    return this.isReachable ? undefined : 'database';
  }

  /** Whether connections must not be reused. */
  get isStopping(): boolean {
    return this.isDraining;
  }

  /** Call when the database is open and migrated. */
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
        () => this.setReachable(true),
        () => this.setReachable(false),
      );
    this.timer = setTimeout(() => void next(), CHECK_INTERVAL_MS).unref();
  }

  private setReachable(isReachable: boolean): void {
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
