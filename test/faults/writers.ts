import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.js';
import { bodyOf, eventState, isSameState, stateIn } from './event-states.js';
import { type Answer, exchange, type Sent, type Target } from './exchange.js';
import type { Ledger } from './ledger.js';

/** An event that nobody is writing. */
interface Idle {
  readonly identity: string;
  readonly id: number;
  readonly version: number;
}

/** A client does not wait longer for a write before it begins the next one, in milliseconds. */
const PATIENCE = 500;
/** Of the writes that it began, so many may be under way. */
const MOST_UNDER_WAY = 20;

/** Clients that send each write again, with its key, until they know that it has happened. */
export class Writers {
  private isStopping = false;
  private readonly working: Promise<void>[];

  constructor(
    private readonly ledger: Ledger,
    private readonly targets: readonly Target[],
    seed: number,
    count: number,
  ) {
    ledger.begin();
    this.working = Array.from({ length: count }, (_, number) => this.work(new Random(seed + number), `w${number}`));
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
      const known = random.chance(0.4) ? idle.splice(random.between(0, idle.length - 1), 1)[0] : undefined;
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
    const { identity, version } = known ?? { identity: key, version: 0 };
    const state = eventState(random, identity, version + 1);
    this.ledger.send(identity, state);
    const answer = await this.insist(random, {
      ...(known === undefined ? { method: 'POST', path: '/events' } : { method: 'PATCH', path: `/events/${known.id}` }),
      body: bodyOf(state),
      headers: { 'idempotency-key': key },
    });
    const id = answer.body.id as number;
    this.ledger.acknowledge(identity, id);
    // What was acknowledged is seen everywhere, from then on.
    const read = await this.insist(random, { path: `/events/${id}` });
    if (!isSameState(stateIn(read.body), state)) this.ledger.stale += 1;
    return { identity, id, version: version + 1 };
  }

  private async insist(random: Random, sent: Sent): Promise<Answer> {
    for (let attempt = random.between(1, 100); ; attempt += 1) {
      const start = performance.now();
      const target = this.targets[attempt % this.targets.length] as Target;
      const result = await exchange(target, sent).catch((error: { code?: string }) => error);
      const outcome = 'status' in result ? result.status : (result.code ?? 'error');
      this.ledger.note(outcome, performance.now() - start);
      if ('status' in result && result.status < 300) return result;
      if ('status' in result && ![409, 429, 502, 503, 504].includes(result.status)) {
        throw new Error(`${sent.method ?? 'GET'} ${sent.path}: ${result.status} ${JSON.stringify(result.body)}`);
      }
      // The key of a request that died with its instance is in use until its claim runs out.
      await sleep(outcome === 409 ? 1_000 : random.between(20, 200));
    }
  }
}
