import { OutOfTime, TooManyWaiting } from './unavailable.js';

/** More than these would only wait longer. */
const MOST_WAITING = 200;

/** Over about so many turns the pace is an average. */
const TURNS_AVERAGED = 16;

/** Who comes `first` is let in before all that wait. */
type Place = 'first' | 'last';

/** Lets so many in at a time, in the order in which they came; who cannot wait any longer leaves the queue. */
export class Semaphore {
  private inside = 0;
  /** From the end of one turn to the next while all places are taken, in milliseconds. */
  private pace = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Those who have come and not yet begun. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether nobody is inside. */
  get isIdle(): boolean {
    return this.inside === 0;
  }

  /** Whether who comes now, and may wait for so many milliseconds, has no chance of a turn. */
  refuses(milliseconds: number): boolean {
    if (this.inside < this.atOnce) return false;
    return this.queue.length >= MOST_WAITING || (this.queue.length + 1) * this.pace > milliseconds;
  }

  /** `milliseconds`: how long the turn may be waited for. Who would hardly have it by then is refused at once. */
  async enter<Result>(milliseconds: number, work: () => Promise<Result>, place: Place = 'last'): Promise<Result> {
    if (milliseconds <= 0) throw new OutOfTime();
    // A crowd that comes to nobody says nothing by what was before.
    if (this.inside === 0) this.pace = 0;
    if (this.inside < this.atOnce) this.inside += 1;
    else await this.turn(milliseconds, place);
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.pace += ((performance.now() - began) / this.atOnce - this.pace) / TURNS_AVERAGED;
      this.leave();
    }
  }

  private turn(milliseconds: number, place: Place): Promise<void> {
    if (place === 'last' && this.refuses(milliseconds)) throw new TooManyWaiting();
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
