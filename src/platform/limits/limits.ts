import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Metrics } from '../observability/metrics.js';
import { type Bounds, Limiter } from './limiter.js';
import { SharedKeys } from './shared-keys.js';
import { SharedStore } from './shared-store.js';

/** What is limited, by its name in the metrics. */
type Limited = 'requests' | 'credentials' | 'passwords';

/** Makes the limiters of this process. */
@Injectable()
export class Limits {
  constructor(
    private readonly environment: Environment,
    private readonly store: SharedStore,
    private readonly metrics: Metrics,
  ) {}

  /** `name`: of the counts in the store; those of several limiters of one thing begin with what is limited. */
  limiter(name: Limited | `${Limited}-${string}`, bounds: Bounds): Limiter {
    const [limited = name] = name.split('-');
    return new Limiter(bounds, {
      prefix: this.prefix(name),
      store: this.store,
      refused: () => this.metrics.refused(limited),
    });
  }

  /** Keys that are remembered for so many seconds. */
  keys(name: string, seconds: number): SharedKeys {
    return new SharedKeys(seconds, { prefix: this.prefix(name), store: this.store });
  }

  private prefix(name: string): string {
    return `${this.environment.REDIS_PREFIX}${name}`;
  }
}
