import type { Clock } from '../../config/clock.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { fromSeconds } from '../../kernel/time/epoch-seconds.js';

/** Seconds between an attempt and the next: Standard Webhooks 1.0.0 (webhooks rule 3.5). */
const STEPS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Every delay varies by so much, so that messages that failed together do not come back together. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Returns the delay in seconds after so many failed attempts. undefined: there is no further attempt. */
export function retryDelay(failedAttempts: number, random: () => number = Math.random): number | undefined {
  const step = STEPS_SECONDS[failedAttempts - 1];
  return step === undefined ? undefined : step * (1 + JITTER * (2 * random() - 1));
}

/** Returns the seconds of a Retry-After header, a number or a date, at most a day. undefined: there is none. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

/** Returns the first whole second that is so many milliseconds from now, or later. */
export function utcAfter(clock: Clock, milliseconds: number): UtcTime {
  return fromSeconds(Math.ceil((clock.milliseconds() + milliseconds) / 1000));
}
