import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long writes wait at most for others to arrive, in milliseconds. Reads of the same time are served meanwhile. */
const MAX_WAIT_MS = 50;
/** How long writes run at least before one waits again, in milliseconds, so that waiting costs them little. */
const MIN_WRITING_MS = 20;
/** A request arrives some turns after its connection, because a turn accepts one connection and reads it later. */
const QUIET_TURNS = 2;

/**
 * Lets writes arrive while an embedded database writes. Its statements block the process, so that each write would end
 * before the next one is read: requests would wait unseen in the operating system, and none would be rejected.
 */
export class Arrivals {
  private arrived = 0;
  private writesUntil = 0;

  /** Called when a write arrives, also one that is rejected. */
  note(): void {
    this.arrived += 1;
  }

  /** Called by one write at a time, before it begins. Waits while others arrive, unless writes have just waited. */
  async wait(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.writesUntil) return;
    let quietTurns = 0;
    while (quietTurns < QUIET_TURNS && performance.now() - startedAt < MAX_WAIT_MS) {
      const before = this.arrived;
      await nextTurn();
      quietTurns = this.arrived === before ? quietTurns + 1 : 0;
    }
    const endedAt = performance.now();
    // While more arrive than one wait can take, writing for as long would leave requests unread until their clients give up.
    const haveAllArrived = quietTurns >= QUIET_TURNS;
    this.writesUntil = endedAt + (haveAllArrived ? Math.max(MIN_WRITING_MS, endedAt - startedAt) : MIN_WRITING_MS);
  }
}
