import type { Field } from './field.js';
import type { RequestContext } from './request-context.js';

/** When and where a default is asked for. */
export type Moment = Pick<RequestContext, 'nowUtc' | 'site'>;

/** A default that moves with the clock: the window of the list of events (contract 10.1). */
export type MovingDefault = (moment: Moment) => string;

/** The default of a parameter as documented; undefined: none. */
export function defaultOf(field: Field, moment: Moment): unknown {
  return typeof field.default === 'function' ? (field.default as MovingDefault)(moment) : field.default;
}
