import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.js';
import { bodyOf, eventState } from './event-states.js';
import { type Answer, type Sent, type Target, tryOnce } from './exchange.js';
import type { Ledger } from './ledger.js';

interface Habits {
  readonly perSecond: number;
  /** Share of writes among all requests, from 0 to 1. */
  readonly writes: number;
}

/** Reads of every collection. */
export const READS = [
  '/events',
  '/events?per_page=5&page=1',
  '/events?search=v',
  '/venues',
  '/organizers',
  '/categories',
  '/tags',
];

/**
 * Clients that send requests at a steady rate, whatever the response times, and without retries. Their writes have no
 * idempotency key, so a gateway that repeats a write makes a duplicate.
 */
export class Visitors {
  private isStopping = false;
  private readonly coming: Promise<void>;
  private readonly under = new Set<Promise<void>>();

  constructor(
    private readonly ledger: Ledger,
    private readonly target: Target,
    private readonly seed: number,
    private readonly habits: Habits,
  ) {
    ledger.begin();
    this.coming = this.come(new Random(seed));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.ledger.end();
    await this.coming;
    await Promise.all(this.under);
  }

  private async come(random: Random): Promise<void> {
    const start = performance.now();
    for (let number = 0; !this.isStopping; number += 1) {
      const wait = start + (number * 1000) / this.habits.perSecond - performance.now();
      if (wait > 0) await sleep(wait);
      const one = random.chance(this.habits.writes)
        ? this.write(random, `v-${this.seed}-${number}`)
        : this.read(random);
      const ended = one.finally(() => this.under.delete(ended));
      this.under.add(ended);
    }
  }

  private async read(random: Random): Promise<void> {
    await this.ask({ path: random.pick(READS) });
  }

  private async write(random: Random, identity: string): Promise<void> {
    const state = eventState(random, identity, 1);
    this.ledger.send(identity, state);
    const answer = await this.ask({ method: 'POST', path: '/events', body: bodyOf(state) });
    if (answer?.status === 201) this.ledger.acknowledge(identity, answer.body.id as number);
  }

  private async ask(sent: Sent): Promise<Answer | undefined> {
    return (await tryOnce(this.ledger, this.target, sent)).answer;
  }
}
