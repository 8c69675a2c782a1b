import { setTimeout as sleep } from 'node:timers/promises';
import { currentDeadline } from './deadline.js';
import { NotOpen } from './unavailable.js';

/**
 * So long after the process began to start, in milliseconds, requests wait for the database to be opened, each as long as
 * it may use the database. Most starts take far less, and gateways send requests as soon as somebody listens.
 */
const START_WAIT = 10_000;

/** The way from a process that listens to one that has its database. */
export class StartupGate {
  private readonly begun = performance.now();
  private end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
  private isDone = false;

  /** From here on nobody waits. */
  done(): void {
    this.isDone = true;
    this.end();
  }

  /** Nothing to wait for, or who comes early waits while it may help; throws `NotOpen`. */
  awaited(): Promise<void> | undefined {
    return this.isDone ? undefined : this.wait();
  }

  private async wait(): Promise<void> {
    const budget = currentDeadline(START_WAIT);
    const left = Math.min(this.begun + START_WAIT - performance.now(), budget.remaining);
    if (left > 0) await budget.spend(() => Promise.race([this.ended, sleep(left, undefined, { ref: false })]));
    if (!this.isDone) throw new NotOpen();
  }
}
