import { addSeconds } from '../kernel/calendar-arithmetic.js';
import type { UtcTime } from '../kernel/calendar-time.js';
import { OperatorError } from '../platform/operator-error.js';

const SECONDS = { d: 86_400, h: 3_600 } as const;

/** The moment that many days or hours ago: `30d`, `12h`. `option` is named where the text is none of these. */
export function momentBefore(nowUtc: UtcTime, age: string, option: string): UtcTime {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(age) ?? [];
  if (count === undefined) throw new OperatorError(`${option}: "${age}" is no age such as 30d or 12h.`);
  return addSeconds(nowUtc, -Number(count) * SECONDS[unit as keyof typeof SECONDS]);
}
