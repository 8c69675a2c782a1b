/** How long a writer waits, for those before it and for the lock that another process holds, in milliseconds. */
const MOST_WAIT = 10_000;
/** More than these would only wait longer. */
const MOST_WRITERS = 200;

/** There is no getting to write for now. */
export class WritersBusy extends Error {}

/** Lets one writer at a time in, in the order in which they came; each for as long as its time has not run out. */
export class WriterQueue {
  private last: Promise<unknown> = Promise.resolve();
  private length = 0;

  /** Those who have come and not yet begun. */
  get waiting(): number {
    return Math.max(0, this.length - 1);
  }

  /** `write` is told by its parameter whether there is time left to try again. */
  async enter<Result>(write: (hasTime: () => boolean) => Promise<Result>): Promise<Result> {
    if (this.length >= MOST_WRITERS) throw new WritersBusy('Too many writers are waiting.');
    const deadline = Date.now() + MOST_WAIT;
    const hasTime = () => Date.now() < deadline;
    this.length += 1;
    const turn = this.last.then(() => {
      if (!hasTime()) throw new WritersBusy('The time for waiting ran out.');
      return write(hasTime);
    });
    // The next writer begins when this one has ended, however it ended.
    this.last = turn.catch(() => undefined).finally(() => (this.length -= 1));
    return turn;
  }
}
