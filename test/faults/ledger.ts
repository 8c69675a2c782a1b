import type { EventState } from './event-states.js';

/** What a client knows about one event that it writes. */
export interface Entry {
  /** The last acknowledged write: its state, and the id from the response. */
  acknowledged?: { readonly id: number; readonly state: EventState };
  /** A write whose outcome the client does not know. */
  open?: EventState | undefined;
}

/** Records the acknowledged writes, for the comparison with the database after the run. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  /** Number of failed requests by response status or error code. */
  readonly failures = new Map<string, number>();
  /** Reads that did not show a write acknowledged before they began. */
  stale = 0;
  /** Temporary rejections without a Retry-After header. */
  withoutRetryAfter = 0;
  requests = 0;
  acknowledged = 0;
  /** The longest time without an acknowledgement, in milliseconds. */
  longestPause = 0;
  slowest = 0;
  private lastAcknowledgement = 0;
  private isOpen = false;

  /** Call before sending a write, because from then on the server may commit it. */
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

  /** Starts measuring pauses. Call when the load begins. */
  begin(): void {
    this.isOpen = true;
    this.lastAcknowledgement = performance.now();
  }

  /** Milliseconds since the last acknowledgement. */
  get sinceAcknowledgement(): number {
    return performance.now() - this.lastAcknowledgement;
  }

  /** Stops measuring pauses when the load ends. Later acknowledgements belong to earlier writes. */
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

  /** Counts one request by its outcome. `took` is in milliseconds. */
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
