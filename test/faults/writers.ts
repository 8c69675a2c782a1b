import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.js';
import { bodyOf, type EventState, eventState, isSameState, readTitle, renamed, stateIn } from './event-states.js';
import { type Answer, type Sent, type Target, tryOnce } from './exchange.js';
import type { Ledger } from './ledger.js';

/** An event without a write in progress. */
interface Idle {
  readonly id: number;
  readonly state: EventState;
}

export interface Habits {
  readonly clients: number;
  /** The share of writes that change an existing event, from 0 to 1. Half of them change only its title. */
  readonly updates: number;
  /** The share of writes that are checked by a read from a random instance, from 0 to 1. */
  readonly looks: number;
  /** The description of every event. */
  readonly description: string;
}

const HABITS: Habits = { clients: 8, updates: 0.4, looks: 1, description: '' };

/** After this time, in milliseconds, a client begins its next write without the response to the last one. */
const PATIENCE = 500;
/** Statuses after which a client repeats its request. 408: the request was late, because the machine was busy. */
const REPEATED = [408, 409, 429, 502, 503, 504];
/** The maximum number of concurrent writes per client. */
const MOST_UNDER_WAY = 20;

/** Clients that retry each write with its idempotency key until it is acknowledged. */
export class Writers {
  private isStopping = false;
  private readonly working: Promise<void>[];
  private readonly habits: Habits;

  constructor(
    private readonly ledger: Ledger,
    private readonly targets: readonly Target[],
    seed: number,
    habits: Partial<Habits> = {},
  ) {
    this.habits = { ...HABITS, ...habits };
    ledger.begin();
    this.working = Array.from({ length: this.habits.clients }, (_, number) =>
      this.work(new Random(seed + number), `w${number}`),
    );
  }

  /** Waits until every client has finished the writes that it began. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.ledger.end();
    await Promise.all(this.working);
  }

  private async work(random: Random, name: string): Promise<void> {
    const idle: Idle[] = [];
    const under = new Set<Promise<void>>();
    for (let number = 0; !this.isStopping; number += 1) {
      const known = random.chance(this.habits.updates)
        ? idle.splice(random.between(0, idle.length - 1), 1)[0]
        : undefined;
      const one = this.write(random, `${name}-${number}`, known).then((event) => void idle.push(event));
      const ended = one.finally(() => under.delete(ended));
      under.add(ended);
      await Promise.race([ended, sleep(PATIENCE)]);
      if (under.size >= MOST_UNDER_WAY) await Promise.race(under);
    }
    await Promise.all(under);
  }

  /** Creates or changes an event, and checks by a read that its new state is visible. */
  private async write(random: Random, key: string, known: Idle | undefined): Promise<Idle> {
    const { identity, version } = readTitle(known?.state.title ?? key);
    const isRenamed = known !== undefined && random.chance(0.5);
    const state = isRenamed ? renamed(known.state) : eventState(random, identity, version + 1);
    this.ledger.send(identity, state);
    const body = isRenamed ? { title: state.title } : { ...bodyOf(state), description: this.habits.description };
    const answer = await this.insist(random, {
      ...(known === undefined ? { method: 'POST', path: '/events' } : { method: 'PATCH', path: `/events/${known.id}` }),
      body,
      headers: { 'idempotency-key': key },
    });
    const id = answer.body.id as number;
    this.ledger.acknowledge(identity, id);
    if (random.chance(this.habits.looks)) {
      // An acknowledged write must be visible on every instance.
      const read = await this.insist(random, { path: `/events/${id}` });
      if (!isSameState(stateIn(read.body), state)) this.ledger.stale += 1;
    }
    return { id, state };
  }

  private async insist(random: Random, sent: Sent): Promise<Answer> {
    const first = random.between(1, 100);
    for (let attempt = 0; ; attempt += 1) {
      const target = this.targets[(first + attempt) % this.targets.length] as Target;
      const { outcome, answer } = await tryOnce(this.ledger, target, sent);
      if (answer !== undefined && answer.status < 300) return answer;
      if (answer !== undefined && !REPEATED.includes(answer.status)) {
        throw new Error(`${sent.method ?? 'GET'} ${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      // 409: the key of a request that died with its instance is claimed until the claim expires. Other retries wait.
      await sleep(outcome === 409 ? 1_000 : random.between(20, Math.min(200 * (attempt + 1), 1_000)));
    }
  }
}
