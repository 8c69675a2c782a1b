import { RecentKeys } from './recent-keys.js';
import type { RedisStore } from './redis-store.js';

interface SharedKeysOptions {
  readonly store: RedisStore;
  /** Prefix of the keys in the store. */
  readonly prefix: string;
}

/** About 10 MB. Above this number the oldest keys are removed. */
const MAX_LOCAL_KEYS = 50_000;

/**
 * A set of keys with an expiry, shared by all instances through Redis. Also in the memory of this process, for the time
 * while Redis is unavailable.
 */
export class SharedKeys {
  private readonly local: RecentKeys;

  constructor(
    private readonly seconds: number,
    private readonly options: SharedKeysOptions,
  ) {
    this.local = new RecentKeys({ maxKeys: MAX_LOCAL_KEYS, seconds });
  }

  async add(key: string): Promise<void> {
    this.local.add(key);
    await this.run("redis.call('set', KEYS[1], 1, 'EX', ARGV[1]) return 1", key);
  }

  async has(key: string): Promise<boolean> {
    return this.local.has(key) || (await this.run("return redis.call('exists', KEYS[1])", key)) === 1;
  }

  /** Returns undefined without a store, or if it fails, because the keys are optional. */
  private async run(script: string, key: string): Promise<unknown> {
    const { store, prefix } = this.options;
    if (!store.isConfigured) return undefined;
    const asked = { keys: [`${prefix}:${key}`], arguments: [String(this.seconds)] };
    return store.eval(script, asked).catch(() => undefined);
  }
}
