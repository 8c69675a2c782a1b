import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { loggedError } from '../../errors/logged-error.js';
import { Log } from '../../platform/observability/log.js';
import { type ClaimedMessage, Claims, type DueMessage, type WatchedWebhook } from './claims.js';
import { type EndedAttempt } from './results.js';
import { Sender } from './sender.js';
import { WritePriority } from './write-priority.js';

/** Requests of a process at once, and those of them to one webhook (webhooks rule 3.6). */
const MAX_REQUESTS = 32;
const MAX_PER_WEBHOOK = 4;
/** A webhook that fails gets one request at a time, and all of them half of the requests, so that they hold up no other. */
const MAX_PER_FAILING = 1;
const MAX_OF_FAILING = 16;
/** Claimed messages of one webhook, so that few claims are needed. */
const MAX_CLAIMED = 64;
/** How many of them may wait when further ones are claimed. Few large claims cost less than many small ones. */
const MAX_WAITING = 32;
/** Messages sent at once while writes need the process, and the pause after them. These share their statements. */
const MAX_BEGUN_BUSY = 4;
const BUSY_PAUSE_MS = 100;

/** The claimed messages of one webhook. */
interface Line {
  readonly waiting: ClaimedMessage[];
  readonly running: Set<ClaimedMessage>;
}

/** What has become of claimed messages. */
export interface Outcomes {
  readonly ended: readonly EndedAttempt[];
  /** Ids of messages that were not sent. */
  readonly returned: readonly number[];
}

/** The claimed messages of this process. Sends so many at a time, and keeps the results until they are stored. */
@Injectable()
export class Deliveries {
  /** Called when there are outcomes to store. */
  onOutcome: () => void = () => undefined;
  private readonly lines = new Map<number, Line>();
  private failing: ReadonlySet<number> = new Set();
  private ended: EndedAttempt[] = [];
  private returned: number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly stopped = new AbortController();
  private isStopping = false;

  constructor(
    private readonly claims: Claims,
    private readonly sender: Sender,
    private readonly priority: WritePriority,
    private readonly log: Log,
  ) {}

  /** Tells which webhooks are active, and which of them fail. */
  watch(webhooks: readonly WatchedWebhook[]): void {
    this.failing = new Set(webhooks.filter((one) => one.failing_since_utc !== null).map(({ id }) => id));
  }

  /** Returns how many messages of each webhook may be claimed. Webhooks without room are left out. */
  roomFor(webhookIds: readonly number[]): Map<number, number> {
    const rooms = webhookIds.map((id) => [id, this.roomOf(id)] as const);
    return new Map(this.isStopping ? [] : rooms.filter(([, room]) => room > 0));
  }

  private roomOf(webhookId: number): number {
    const line = this.lines.get(webhookId);
    const most = this.failing.has(webhookId) ? MAX_PER_FAILING : MAX_CLAIMED;
    if (line === undefined) return most;
    return line.waiting.length < MAX_WAITING ? most - line.waiting.length - line.running.size : 0;
  }

  /** Sends claimed messages, as soon as there is a free request. */
  add(messages: readonly ClaimedMessage[]): void {
    for (const message of messages) {
      const line = this.lines.get(message.webhookId) ?? { waiting: [], running: new Set() };
      this.lines.set(message.webhookId, line);
      line.waiting.push(message);
    }
    this.schedule();
  }

  get hasOutcomes(): boolean {
    return this.ended.length + this.returned.length > 0;
  }

  /** Returns what is to be stored. The caller stores it, or gives it back. */
  takeOutcomes(): Outcomes {
    const { ended, returned } = this;
    [this.ended, this.returned] = [[], []];
    return { ended, returned };
  }

  /** Keeps outcomes that could not be stored. A result that is lost would be sent again. */
  giveBack({ ended, returned }: Outcomes): void {
    this.ended.unshift(...ended);
    this.returned.unshift(...returned);
  }

  /** Waits for running requests for so long, then aborts them. What was not sent is due for other processes. */
  async stop(milliseconds: number): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    const waiting = [...this.lines.values()].flatMap((line) => line.waiting.splice(0));
    this.returned.push(...waiting.map(({ id }) => id));
    const end = performance.now() + milliseconds;
    while (this.runningCount > 0 && performance.now() < end) await sleep(20);
    this.stopped.abort();
    while (this.runningCount > 0) await sleep(1);
  }

  private get runningCount(): number {
    return [...this.lines.values()].reduce((sum, { running }) => sum + running.size, 0);
  }

  /** Begins requests soon: those that can begin at the same time share their statements. */
  private schedule(): void {
    if (this.timer !== undefined || this.isStopping) return;
    this.timer = setTimeout(() => this.begin(), this.priority.isBusy ? BUSY_PAUSE_MS : 0);
  }

  /** Begins requests while there are free ones, one for each webhook in turn. */
  private begin(): void {
    this.timer = undefined;
    const { isBusy } = this.priority;
    const most = isBusy ? MAX_BEGUN_BUSY : MAX_REQUESTS;
    const begun: ClaimedMessage[] = [];
    for (let hasBegun = true; hasBegun;) {
      hasBegun = false;
      for (const [webhookId, line] of this.lines) {
        const mayBegin = begun.length < most && this.mayBegin(webhookId, line);
        const message = mayBegin ? line.waiting.shift() : undefined;
        if (message === undefined) continue;
        hasBegun = true;
        line.running.add(message);
        begun.push(message);
      }
    }
    if (begun.length > 0) void this.attempt(begun);
    if (isBusy && begun.length > 0) this.schedule();
  }

  private mayBegin(webhookId: number, { running }: Line): boolean {
    if (this.runningCount >= MAX_REQUESTS) return false;
    if (!this.failing.has(webhookId)) return running.size < MAX_PER_WEBHOOK;
    const ofFailing = [...this.failing].reduce((sum, id) => sum + (this.lines.get(id)?.running.size ?? 0), 0);
    return running.size < MAX_PER_FAILING && ofFailing < MAX_OF_FAILING;
  }

  /** Sends messages. If the database fails, they are due again when their lease ends. */
  private async attempt(messages: readonly ClaimedMessage[]): Promise<void> {
    try {
      const due = await this.claims.load(messages);
      const bodies = await this.sender.bodiesOf(due);
      const byId = new Map(due.map((message, index) => [message.id, { message, body: bodies[index]! }]));
      for (const claimed of messages) {
        const ready = byId.get(claimed.id);
        if (ready === undefined) this.end(claimed, undefined);
        else void this.send(ready.message, ready.body).then((ended) => this.end(claimed, ended));
      }
    } catch (error) {
      this.log.warn({ error: loggedError(error), msg: 'webhook messages were not sent' });
      for (const claimed of messages) this.leave(claimed);
    }
  }

  private async send(message: DueMessage, body: string): Promise<EndedAttempt | undefined> {
    const ended = await this.sender.send(message, body, this.stopped.signal);
    return this.stopped.signal.aborted ? undefined : ended;
  }

  /** undefined: the message was not sent. */
  private end(message: ClaimedMessage, ended: EndedAttempt | undefined): void {
    if (ended === undefined) this.returned.push(message.id);
    else this.ended.push(ended);
    this.leave(message);
    this.onOutcome();
  }

  private leave(message: ClaimedMessage): void {
    const line = this.lines.get(message.webhookId)!;
    line.running.delete(message);
    if (line.waiting.length + line.running.size === 0) this.lines.delete(message.webhookId);
    this.schedule();
  }
}
