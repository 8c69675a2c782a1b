import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';

/** The shortest time over which the load is measured: before the first look after a commit (dispatcher.ts). */
const WINDOW_MS = 40;
/** The same while the process is busy, so that one pause among many writes does not let all messages go. */
const BUSY_WINDOW_MS = 200;
/** A process whose event loop is idle for less than the rest has no time to spare. */
const BUSY_SHARE = 0.8;

/**
 * Tells whether writes need the whole thread of the process. Then messages wait, because writes have clients that wait
 * (webhooks section 6). Meanwhile other processes may send them.
 */
@Injectable()
export class WritePriority {
  private writes = 0;
  private begunAt = performance.now();
  private begun = performance.eventLoopUtilization();
  private wasBusy = false;

  /** Counts a commit of this process that changed records. */
  noteWrite(): void {
    this.writes += 1;
    this.measure();
  }

  get isBusy(): boolean {
    this.measure();
    return this.wasBusy;
  }

  private measure(): void {
    const now = performance.now();
    if (now < this.begunAt + (this.wasBusy ? BUSY_WINDOW_MS : WINDOW_MS)) return;
    const { utilization } = performance.eventLoopUtilization(this.begun);
    this.wasBusy = this.writes > 0 && utilization > BUSY_SHARE;
    this.writes = 0;
    this.begunAt = now;
    this.begun = performance.eventLoopUtilization();
  }
}
