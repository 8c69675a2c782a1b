import { Injectable } from '@nestjs/common';
import type { UtcTime } from '../kernel/time/calendar-time.js';

/** The only clock of the service; tests replace it. */
@Injectable()
export class Clock {
  /** Now, in whole seconds of UTC. */
  now(): UtcTime {
    return new Date(this.milliseconds()).toISOString().slice(0, 19).replace('T', ' ');
  }

  milliseconds(): number {
    return Date.now();
  }
}
