import { OutOfTime, TooManyWaiting } from './unavailable.js';

/** Maximum queue length. A longer queue would only make all callers wait longer. */
const MAX_WAITING = 200;

/** About the number of recent uses in the moving average. */
const AVERAGED_SLOTS = 16;

/** Which end of the queue a caller joins. `first` goes ahead of all waiting callers. */
type QueueEnd = 'first' | 'last';

/** Limits concurrent work to a number of slots. Callers wait in order, and leave the queue at their timeout. */
export class Semaphore {
  private takenSlots = 0;
  /** Average time until a slot becomes free while all are taken, in milliseconds. */
  private msPerSlot = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly slots: number) {}

  /** The number of callers in the queue. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether all slots are free. */
  get isIdle(): boolean {
    return this.takenSlots === 0;
  }

  /** Whether a caller with this timeout would be rejected now. */
  wouldReject(milliseconds: number): boolean {
    if (this.takenSlots < this.slots) return false;
    return this.queue.length >= MAX_WAITING || (this.queue.length + 1) * this.msPerSlot > milliseconds;
  }

  /**
   * Runs `work` in a slot. `milliseconds`: how long to wait for the slot. Rejects a caller immediately that would probably
   * time out.
   */
  async run<Result>(milliseconds: number, work: () => Promise<Result>, end: QueueEnd = 'last'): Promise<Result> {
    if (milliseconds <= 0) throw new OutOfTime();
    // After an idle time the old average says nothing about the new load.
    if (this.takenSlots === 0) this.msPerSlot = 0;
    if (this.takenSlots < this.slots) this.takenSlots += 1;
    else await this.waitForSlot(milliseconds, end);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.msPerSlot += ((performance.now() - startedAt) / this.slots - this.msPerSlot) / AVERAGED_SLOTS;
      this.release();
    }
  }

  private waitForSlot(milliseconds: number, end: QueueEnd): Promise<void> {
    if (end === 'last' && this.wouldReject(milliseconds)) throw new TooManyWaiting();
    return new Promise((resolve, reject) => {
      const timeOut = () => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(new OutOfTime());
      };
      const timer = milliseconds === Infinity ? undefined : setTimeout(timeOut, milliseconds);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      if (end === 'first') this.queue.unshift(begin);
      else this.queue.push(begin);
    });
  }

  /** Passes the slot to the first caller in the queue. */
  private release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.takenSlots -= 1;
    else next();
  }
}
