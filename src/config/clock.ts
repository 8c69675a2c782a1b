import { Injectable } from '@nestjs/common';
import type { UtcTime } from '../kernel/time/calendar-time.js';

/** The only clock of the service. Tests replace it. */
@Injectable()
export class Clock {
  /** Returns the present as `YYYY-MM-DD HH:MM:SS` in UTC. */
  now(): UtcTime {
    return new Date(this.milliseconds()).toISOString().slice(0, 19).replace('T', ' ');
  }

  /** Returns the present in milliseconds since 1970. */
  milliseconds(): number {
    return Date.now();
  }
}
