import type { EventState } from './event-states.js';

/** What is known of one event that a client writes. */
export interface Entry {
  /** The state of the last write that was acknowledged, with the id that the answer named. */
  acknowledged?: { readonly id: number; readonly state: EventState };
  /** A write whose outcome the client does not know. */
  open?: EventState | undefined;
}

/** The book of what clients were told, to be held against the database afterwards. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  /** Answers and broken connections that were no success, by status or code. */
  readonly failures = new Map<string, number>();
  /** Reads that did not show what was acknowledged before they began. */
  stale = 0;
  /** Refusals for the time being that did not say when to come again. */
  withoutRetryAfter = 0;
  requests = 0;
  acknowledged = 0;
  /** Milliseconds. */
  longestPause = 0;
  slowest = 0;
  private lastAcknowledgement = 0;
  private isOpen = false;

  /** A write is sent: from here on it may happen. */
  send(identity: string, state: EventState): void {
    const entry = this.entries.get(identity) ?? {};
    entry.open = state;
    this.entries.set(identity, entry);
  }

  acknowledge(identity: string, id: number): void {
    const entry = this.entries.get(identity);
    if (entry?.open === undefined) throw new Error(`${identity} was acknowledged twice`);
    this.entries.set(identity, { acknowledged: { id, state: entry.open } });
    this.acknowledged += 1;
    this.pause();
  }

  /** Starts the clock of the longest pause: the load begins. */
  begin(): void {
    this.isOpen = true;
    this.lastAcknowledgement = performance.now();
  }

  /** Milliseconds without an acknowledgement until now. */
  get sinceAcknowledgement(): number {
    return performance.now() - this.lastAcknowledgement;
  }

  /** The load ends; what is acknowledged from here on was begun before. */
  end(): void {
    this.pause();
    this.isOpen = false;
  }

  private pause(): void {
    if (!this.isOpen) return;
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - this.lastAcknowledgement);
    this.lastAcknowledgement = now;
  }

  /** The outcome of one request, and how many milliseconds it took. */
  note(outcome: string | number, took: number): void {
    this.requests += 1;
    this.slowest = Math.max(this.slowest, took);
    if (typeof outcome === 'number' && outcome < 300) return;
    this.failures.set(String(outcome), (this.failures.get(String(outcome)) ?? 0) + 1);
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }
}
