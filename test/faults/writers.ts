import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.js';
import { bodyOf, type EventState, eventState, isSameState, readTitle, renamed, stateIn } from './event-states.js';
import { type Answer, type Sent, type Target, tryOnce } from './exchange.js';
import type { Ledger } from './ledger.js';

/** An event that nobody is writing. */
interface Idle {
  readonly id: number;
  readonly state: EventState;
}

export interface Habits {
  readonly clients: number;
  /** How many of the writes change an event that is there, from 0 to 1; half of them its title only. */
  readonly updates: number;
  /** How many of the writes are looked at on another instance, from 0 to 1. */
  readonly looks: number;
  /** What every event is described with. */
  readonly description: string;
}

const HABITS: Habits = { clients: 8, updates: 0.4, looks: 1, description: '' };

/** A client does not wait longer for a write before it begins the next one, in milliseconds. */
const PATIENCE = 500;
/** Of the writes that it began, so many may be under way. */
const MOST_UNDER_WAY = 20;

/** Clients that send each write again, with its key, until they know that it has happened. */
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

  /** Lets every client finish the writes that it has begun. */
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

  /** Creates an event, or brings a known one into another state, and looks whether it is seen so. */
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
      // What was acknowledged is seen everywhere, from then on.
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
      if (answer !== undefined && ![409, 429, 502, 503, 504].includes(answer.status)) {
        throw new Error(`${sent.method ?? 'GET'} ${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      // The key of a request that died with its instance is in use until its claim runs out. Others wait longer each time.
      await sleep(outcome === 409 ? 1_000 : random.between(20, Math.min(200 * (attempt + 1), 1_000)));
    }
  }
}
