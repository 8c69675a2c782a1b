import { HttpException } from '@nestjs/common';
import { type Caller, can, isAnonymous } from '../kernel/caller.js';
import type { Capability } from '../kernel/capability.js';
import { type ErrorCode, errorOf } from './error-catalogue.js';

/** Additions of one error to its catalogue entry. */
export interface ErrorExtras {
  /** Values of the `{name}` placeholders in the message. */
  readonly params?: Record<string, string>;
  /** Members of `data` besides `status`. */
  readonly data?: Record<string, unknown>;
  /** Members beside `code`, `message` and `data`. */
  readonly more?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** Only where one code has two statuses: rest_forbidden 401 and 403, rest_no_route 404 and 405, and codes of modules. */
  readonly status?: number;
  /** Only for codes of modules, which are not in the catalogue. */
  readonly message?: string;
}

/**
 * The only error that this service's code throws on purpose. The exception filter turns it into the response. It is an
 * `HttpException`, so that filters and interceptors of modules know its status and its body (contract section 6).
 */
export class ApiError extends HttpException {
  constructor(
    readonly code: ErrorCode,
    readonly extras: ErrorExtras,
  ) {
    const { message = code, status = 500 } = errorOf(code) ?? {};
    const { params = {}, data, more } = extras;
    const sent = extras.status ?? status;
    super({ code, message: fill(extras.message ?? message, params), data: { status: sent, ...data }, ...more }, sent);
  }

  /** Returns the response body. */
  toBody(): Record<string, unknown> {
    return this.getResponse() as Record<string, unknown>;
  }
}

export function apiError(code: ErrorCode, extras: ErrorExtras = {}): ApiError {
  return new ApiError(code, extras);
}

/** Returns the error of a write without permission: 401 for anonymous callers, 403 for all others. */
export function forbidden(caller: Caller): ApiError {
  if (!isAnonymous(caller)) return apiError('rest_forbidden');
  return apiError('rest_forbidden', { status: 401, headers: AUTHENTICATE });
}

export function mustHave(caller: Caller, capability: Capability): void {
  if (!can(caller, capability)) throw forbidden(caller);
}

/** The header of a 401 (contract 5.1). */
export const AUTHENTICATE = { 'WWW-Authenticate': 'Bearer realm="calendar"' };

function fill(text: string, params: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => params[name] ?? placeholder);
}

/** Returns a 503: the database is unavailable, or the service is overloaded. Clients may retry after a second. */
export function unavailable(): ApiError {
  return apiError('service_unavailable', { headers: { 'Retry-After': '1' } });
}
