import { RecentKeys } from './recent-keys.js';
import type { RedisStore } from './redis-store.js';

interface Surroundings {
  readonly store: RedisStore;
  /** What the keys begin with in the store. */
  readonly prefix: string;
}

/** More are forgotten, the one noted first before all others: about 10 MB. */
const MOST_IN_MEMORY = 50_000;

/**
 * Keys that are remembered for a time: where there is a shared store by all instances, and always in the memory of this
 * process, which has to do while the store is away.
 */
export class SharedKeys {
  private readonly own: RecentKeys;

  constructor(
    private readonly seconds: number,
    private readonly surroundings: Surroundings,
  ) {
    this.own = new RecentKeys({ most: MOST_IN_MEMORY, seconds });
  }

  async note(key: string): Promise<void> {
    this.own.note(key);
    await this.run("redis.call('set', KEYS[1], 1, 'EX', ARGV[1]) return 1", key);
  }

  async has(key: string): Promise<boolean> {
    return this.own.has(key) || (await this.run("return redis.call('exists', KEYS[1])", key)) === 1;
  }

  /** Undefined where there is no store, or it does not answer: nobody fails for that. */
  private async run(script: string, key: string): Promise<unknown> {
    const { store, prefix } = this.surroundings;
    if (!store.isConfigured) return undefined;
    const asked = { keys: [`${prefix}:${key}`], arguments: [String(this.seconds)] };
    return store.eval(script, asked).catch(() => undefined);
  }
}
