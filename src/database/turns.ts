import { OutOfTime } from './time-budget.js';

/** More than these would only wait longer. */
const MOST_WAITING = 200;

/** So many wait already that one more is refused at once. */
export class TooManyWaiting extends Error {}

/** Who comes `first` is let in before all that wait. */
type Place = 'first' | 'last';

/** Lets so many in at a time, in the order in which they came; who cannot wait any longer leaves the queue. */
export class Turns {
  private inside = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Those who have come and not yet begun. */
  get waiting(): number {
    return this.queue.length;
  }

  /** `milliseconds`: how long the turn may be waited for. */
  async enter<Result>(milliseconds: number, work: () => Promise<Result>, place: Place = 'last'): Promise<Result> {
    if (milliseconds <= 0) throw new OutOfTime();
    if (this.inside < this.atOnce) this.inside += 1;
    else await this.turn(milliseconds, place);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private turn(milliseconds: number, place: Place): Promise<void> {
    if (place === 'last' && this.queue.length >= MOST_WAITING)
      throw new TooManyWaiting('Too many are waiting for the database.');
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(new OutOfTime());
      };
      const timer = milliseconds === Infinity ? undefined : setTimeout(leave, milliseconds);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      if (place === 'first') this.queue.unshift(begin);
      else this.queue.push(begin);
    });
  }

  /** The place passes on to who stands first. */
  private leave(): void {
    const next = this.queue.shift();
    if (next === undefined) this.inside -= 1;
    else next();
  }
}
