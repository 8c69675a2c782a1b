import type { Caller } from '../kernel/caller.js';
import { can, isAnonymous } from '../kernel/caller.js';
import type { Capability } from '../kernel/capability.js';
import { type ErrorCode, errorOf } from './error-catalogue.js';

/** What an error adds to its catalogue entry. */
interface ErrorExtras {
  /** Values for the `{name}` places of the message. */
  readonly params?: Record<string, string>;
  /** Members of `data` besides `status`. */
  readonly data?: Record<string, unknown>;
  /** Members beside `code`, `message` and `data`. */
  readonly more?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** Only where one code has two statuses: rest_forbidden 401 and 403, rest_no_route 404 and 405. */
  readonly status?: number;
}

/** The only error that our code throws on purpose; the exception filter makes the answer of it. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly extras: ErrorExtras,
  ) {
    const { message = code, status = 500 } = errorOf(code) ?? {};
    super(fill(message, extras.params ?? {}));
    this.status = extras.status ?? status;
  }

  /** The body of the answer (contract section 6). */
  toBody(): Record<string, unknown> {
    const { data, more } = this.extras;
    return { code: this.code, message: this.message, data: { status: this.status, ...data }, ...more };
  }
}

export function apiError(code: ErrorCode, extras: ErrorExtras = {}): ApiError {
  return new ApiError(code, extras);
}

/** Refuses a write without permission: 401 for anonymous callers, 403 for known ones. */
export function forbidden(caller: Caller): ApiError {
  if (!isAnonymous(caller)) return apiError('rest_forbidden');
  return apiError('rest_forbidden', { status: 401, headers: AUTHENTICATE });
}

export function mustHave(caller: Caller, capability: Capability): void {
  if (!can(caller, capability)) throw forbidden(caller);
}

/** What a 401 carries (contract 5.1). */
export const AUTHENTICATE = { 'WWW-Authenticate': 'Bearer realm="calendar"' };

function fill(text: string, params: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => params[name] ?? place);
}

/** 503: the database is away, or there is no room for the request; a second later there may be. */
export function unavailable(): ApiError {
  return apiError('service_unavailable', { headers: { 'Retry-After': '1' } });
}
