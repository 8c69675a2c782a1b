import type { ApiError } from '../../errors/api-error.js';

/** The reason why a line was not imported. */
export interface LineError {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The invalid field. '': the whole line is invalid. */
  readonly field: string;
  readonly reason: string;
}

/** Returns one error per field. */
export function lineErrorsOf(line: number, error: ApiError): LineError[] {
  const params = error.extras.data?.params;
  if (Array.isArray(params)) return params.map((field: string) => ({ line, field, reason: `${field} is required.` }));
  if (typeof params !== 'object' || params === null) return [{ line, field: '', reason: error.message }];
  return Object.entries(params as Record<string, string>).map(([field, reason]) => ({ line, field, reason }));
}
