import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Metrics } from '../observability/metrics.js';
import { type Bounds, Limiter } from './limiter.js';
import { SharedStore } from './shared-store.js';

/** Makes the limiters of this process. */
@Injectable()
export class Limits {
  constructor(
    private readonly environment: Environment,
    private readonly store: SharedStore,
    private readonly metrics: Metrics,
  ) {}

  /** `name`: what is limited, in the store and in the metrics. */
  limiter(name: 'requests' | 'credentials' | 'passwords', bounds: Bounds): Limiter {
    const prefix = `${this.environment.REDIS_PREFIX}${name}`;
    return new Limiter(bounds, { prefix, store: this.store, refused: () => this.metrics.refused(name) });
  }
}
