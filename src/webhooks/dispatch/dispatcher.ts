import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Environment } from '../../config/environment.js';
import { within } from '../../config/timeout.js';
import type { Transaction } from '../../database/connection/transaction.js';
import { Database } from '../../database/database.js';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from '../../platform/observability/log.js';
import { stopTimeoutMs } from '../../platform/server/shutdown.js';
import { Claims, type WatchedWebhook } from './claims.js';
import { Deliveries } from './deliveries.js';
import { FanOut } from './fan-out.js';
import { Results } from './results.js';
import { WebhookGauges } from './webhook-gauges.js';
import { WritePriority } from './write-priority.js';

/** The interval between looks for due messages, also of other processes. */
const PERIOD_MS = 1_000;
/** The delay of a look after a commit, so that commits in a row cause one look. */
const WAKE_DELAY_MS = 50;
/** The interval between looks while writes need the process. */
const BUSY_PERIOD_MS = 1_000;
/** Messages made in one transaction, which locks rows, and on SQLite delays all writes. */
const MAX_MESSAGES = 2_000;
const MAX_MESSAGES_BUSY = 100;
/** How long messages that are being sent may take while the service stops. */
const STOP_MS = 5_000;
/** The part of it for storing the last results. */
const LAST_RESULTS_MS = 1_000;
/** What the stop of the process needs after that. */
const CLOSING_MS = 1_500;

/**
 * Sends messages to webhooks: makes them of new changes, claims those that are due, and sends them. Any process of any
 * instance does so, started by its own commits and every second (webhooks rule 3.2).
 */
@Injectable()
export class WebhookDispatcher implements BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private turnedAt = -Infinity;
  private work: Promise<void> = Promise.resolve();
  private isWorking = false;
  private isStarted = false;
  private hasFailed = false;
  /** Whether there were webhooks at the last look. Without them, commits cause no look. */
  private hasWebhooks = true;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly claims: Claims,
    private readonly fanOut: FanOut,
    private readonly deliveries: Deliveries,
    private readonly results: Results,
    private readonly priority: WritePriority,
    private readonly gauges: WebhookGauges,
  ) {}

  /** Starts sending. Only servers do. */
  start(): void {
    if (this.stopping !== undefined) return;
    this.isStarted = true;
    this.database.onChange = () => {
      this.priority.noteWrite();
      if (this.hasWebhooks) this.schedule(WAKE_DELAY_MS);
    };
    this.deliveries.onOutcome = () => this.schedule(WAKE_DELAY_MS);
    this.gauges.start();
    this.schedule(0);
  }

  /** Looks for due messages soon. */
  wake(): void {
    this.schedule(0);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Lets messages that are being sent end. All others stay due, for other processes (webhooks rule 3.8). */
  stop(): Promise<void> {
    this.stopping ??= this.stopWithin(Math.min(STOP_MS, stopTimeoutMs(this.environment) - CLOSING_MS));
    return this.stopping;
  }

  private async stopWithin(milliseconds: number): Promise<void> {
    clearTimeout(this.timer);
    this.gauges.stop();
    if (!this.isStarted) return;
    const end = performance.now() + milliseconds - LAST_RESULTS_MS;
    await within(milliseconds - LAST_RESULTS_MS, this.work).catch(() => undefined);
    await this.deliveries.stop(end - performance.now());
    await within(LAST_RESULTS_MS, this.storeLast()).catch(() => undefined);
  }

  private async storeLast(): Promise<void> {
    if (this.deliveries.hasOutcomes) await this.storing(() => Promise.resolve(() => undefined));
  }

  private schedule(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (!this.isStarted || this.stopping !== undefined || this.dueAt <= at) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => this.run(), milliseconds).unref();
  }

  private run(): void {
    this.dueAt = Infinity;
    // The running turn schedules the next one.
    if (this.isWorking) return this.schedule(WAKE_DELAY_MS);
    const isEarly = performance.now() < this.turnedAt + BUSY_PERIOD_MS;
    if (isEarly && this.priority.isBusy) return this.schedule(WAKE_DELAY_MS);
    this.turnedAt = performance.now();
    this.isWorking = true;
    this.work = this.turn()
      .then((hasMore) => {
        this.hasFailed = false;
        this.schedule(hasMore ? 0 : PERIOD_MS);
      })
      .catch((error: unknown) => {
        // The database may be unavailable for a while, which is logged once.
        if (!this.hasFailed) this.log.warn({ error: loggedError(error), msg: 'webhooks cannot be sent at present' });
        this.hasFailed = true;
        this.schedule(PERIOD_MS);
      })
      .finally(() => (this.isWorking = false));
  }

  /** Looks for work, and does it in one transaction. Then begins to send. Returns whether there is more to do at once. */
  private async turn(): Promise<boolean> {
    const watched = await this.claims.watched();
    this.hasWebhooks = watched.length > 0;
    this.deliveries.watch(watched);
    const nowUtc = this.clock.now();
    const hasChanges = watched.some(isBehind);
    const roomFor = (made: readonly number[]) =>
      this.deliveries.roomFor(watched.filter((webhook) => isDue(webhook, made, nowUtc)).map(({ id }) => id));
    if (!hasChanges && !this.deliveries.hasOutcomes && roomFor([]).size === 0) return false;
    const most = this.priority.isBusy ? MAX_MESSAGES_BUSY : MAX_MESSAGES;
    return this.storing(async (tx) => {
      const { webhookIds, hasMore } = hasChanges ? await this.fanOut.run(tx, most) : NOTHING_MADE;
      const claimed = await this.claims.claim(tx, roomFor(webhookIds));
      return () => {
        this.deliveries.add(claimed);
        return hasMore;
      };
    });
  }

  /** Stores outcomes in the transaction of `work`, and runs what `work` returns after the commit. */
  private async storing<Result>(work: (tx: Transaction) => Promise<() => Result>): Promise<Result> {
    const outcomes = this.deliveries.takeOutcomes();
    const whole = async (tx: Transaction) => {
      await this.claims.release(tx, outcomes.returned);
      return { disabled: await this.results.store(tx, outcomes.ended), committed: await work(tx) };
    };
    const write = () => this.database.inTransaction(whole);
    try {
      const { disabled, committed } = await this.database.withDeadlineFor('write', write);
      for (const { webhookId: webhook, reason } of disabled)
        this.log.warn({ webhook, reason, msg: 'a webhook is disabled' });
      return committed();
    } catch (error) {
      this.deliveries.giveBack(outcomes);
      throw error;
    }
  }
}

const NOTHING_MADE = { webhookIds: [], hasMore: false };

function isDue(webhook: WatchedWebhook, made: readonly number[], nowUtc: string): boolean {
  const { id, next_due, not_before_utc } = webhook;
  const hasDue = made.includes(id) || (next_due !== null && next_due <= nowUtc);
  return hasDue && (not_before_utc === null || not_before_utc <= nowUtc);
}

function isBehind({ position_seq, position_id, version }: WatchedWebhook): boolean {
  return position_seq < version || position_id > 0;
}
