import { setTimeout as sleep } from 'node:timers/promises';
import { currentDeadline } from './deadline.js';
import { NotOpen } from './unavailable.js';

/**
 * How long after the start of the process requests wait for the database, each until its own deadline at most. Gateways
 * send requests as soon as the server listens, and most starts take far less.
 */
const STARTUP_TIMEOUT_MS = 10_000;

/** Makes requests wait until the database is open, because the server listens before. */
export class StartupGate {
  private readonly startedAt = performance.now();
  private resolveOpened: () => void = () => undefined;
  /** Resolves when the database is open. */
  readonly opened = new Promise<void>((resolve) => (this.resolveOpened = resolve));
  private resolveWanted: () => void = () => undefined;
  /** Resolves when the first statement waits. */
  readonly wanted = new Promise<void>((resolve) => (this.resolveWanted = resolve));
  private isOpen = false;

  /** Lets all requests through. */
  open(): void {
    this.isOpen = true;
    this.resolveOpened();
  }

  /** Waits until the database is open. Throws `NotOpen` after the timeout. Returns undefined if it is open already. */
  wait(): Promise<void> | undefined {
    return this.isOpen ? undefined : this.waitUntilOpen();
  }

  private async waitUntilOpen(): Promise<void> {
    this.resolveWanted();
    const deadline = currentDeadline(STARTUP_TIMEOUT_MS);
    const timeout = Math.min(this.startedAt + STARTUP_TIMEOUT_MS - performance.now(), deadline.remaining);
    if (timeout > 0) await deadline.run(() => Promise.race([this.opened, sleep(timeout, undefined, { ref: false })]));
    if (!this.isOpen) throw new NotOpen();
  }
}
