import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import {
  type AudienceChange,
  changeRecordState,
  type ChangeRecordState,
  changesAfter,
  mayKnowOf,
  type Readership,
} from '../database/cache/recent-changes.js';
import { Database } from '../database/database.js';
import { clientNetwork } from '../platform/limits/client-network.js';
import { Metrics } from '../platform/observability/metrics.js';
import { Health } from '../platform/server/health.js';
import { type ChangeType, typeOfChange } from '../database/cache/change-types.js';

/** The interval between looks at the change record. One look serves all waiting requests of the process. */
const LOOK_INTERVAL_MS = 250;
/** After more rows than this, all waiting requests look for themselves. */
const MAX_ROWS = 2_000;
const MAX_WAITING_PER_CLIENT = 20;

/** Why a wait has ended. `refused`: there are too many waiting requests, or the service stops. */
type WaitOutcome = 'changed' | 'timeout' | 'refused';

/** What a request waits for. */
export interface Watch {
  /** The state of the change record that the request has seen. */
  readonly seen: Pick<ChangeRecordState, 'version' | 'epoch'>;
  readonly readership: Readership;
  readonly types: readonly ChangeType[];
}

/** How a request may wait. */
interface WaitOptions {
  readonly milliseconds: number;
  /** IP address of the client. */
  readonly clientAddress: string;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
}

interface Waiter extends Watch {
  end(outcome: WaitOutcome): void;
}

/** Requests that wait for a change. They hold no database connection (changes rule 9). */
@Injectable()
export class ChangeWaiters implements BeforeApplicationShutdown {
  private readonly waiters = new Set<Waiter>();
  /** The number of waiting requests by network. */
  private readonly clients = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private seen: Watch['seen'] = { version: 0, epoch: '' };
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly health: Health,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'kalends_changes_waiting',
      help: 'Requests of /changes that wait for a change; at CHANGES_WAITERS further ones are answered at once',
      read: () => this.waiters.size,
    });
  }

  beforeApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.endAll('refused');
  }

  /** Waits for a change that the watch is about. */
  wait(watch: Watch, { milliseconds, clientAddress, disconnected }: WaitOptions): Promise<WaitOutcome> {
    const client = clientNetwork(clientAddress);
    const ofClient = this.clients.get(client) ?? 0;
    const isFull = this.waiters.size >= this.environment.CHANGES_WAITERS || ofClient >= MAX_WAITING_PER_CLIENT;
    if (isFull || this.isStopping || disconnected.aborted) return Promise.resolve('refused');
    if (this.waiters.size === 0) this.seen = watch.seen;
    // A look since the request's read may have been too early for this request.
    if (isOther(watch.seen, this.seen)) return Promise.resolve('changed');
    return new Promise((resolve) => {
      const end = (outcome: WaitOutcome) => {
        if (!this.waiters.delete(waiter)) return;
        clearTimeout(timeout);
        disconnected.removeEventListener('abort', leave);
        this.release(client);
        resolve(outcome);
      };
      const leave = () => end('timeout');
      const waiter = { ...watch, end };
      const timeout = setTimeout(leave, milliseconds);
      disconnected.addEventListener('abort', leave);
      this.clients.set(client, ofClient + 1);
      this.waiters.add(waiter);
      this.timer ??= this.nextLook();
    });
  }

  private get isStopping(): boolean {
    return this.isStopped || this.health.isStopping;
  }

  private release(client: string): void {
    const left = (this.clients.get(client) ?? 1) - 1;
    if (left === 0) this.clients.delete(client);
    else this.clients.set(client, left);
  }

  private nextLook(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), LOOK_INTERVAL_MS).unref();
  }

  private async look(): Promise<void> {
    if (this.isStopping) this.endAll('refused');
    // The database may be unavailable for a while. Requests then end at their timeout.
    else await this.database.withDeadlineFor('read', () => this.wake()).catch(() => undefined);
    this.timer = this.waiters.size === 0 ? undefined : this.nextLook();
  }

  /** Ends the waits that new changes are about. */
  private async wake(): Promise<void> {
    const { version, epoch } = await changeRecordState(this.database);
    const before = this.seen;
    if (version === before.version && epoch === before.epoch) return;
    const isFollowed = version > before.version && epoch === before.epoch;
    const rows = isFollowed ? await this.rowsBetween(before.version, version) : [];
    this.seen = { version, epoch };
    if (!isFollowed || rows.length === MAX_ROWS) this.endAll('changed');
    else for (const waiter of this.waiters) if (rows.some((row) => isAbout(waiter, row))) waiter.end('changed');
  }

  private rowsBetween(seq: number, upTo: number): Promise<AudienceChange[]> {
    const { database } = this;
    return changesAfter(database, database.dialect, { after: { seq }, upTo, readership: 'all', limit: MAX_ROWS });
  }

  private endAll(outcome: WaitOutcome): void {
    for (const waiter of this.waiters) waiter.end(outcome);
  }
}

function isOther(seen: Watch['seen'], latest: Watch['seen']): boolean {
  return seen.version < latest.version || seen.epoch !== latest.epoch;
}

function isAbout({ seen, types, readership }: Watch, row: AudienceChange): boolean {
  return row.seq > seen.version && types.includes(typeOfChange(row)!) && mayKnowOf(row, readership);
}
