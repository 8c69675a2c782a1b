import type { ApiError } from '../../errors/api-error.js';

/** Why a line was not imported. */
export interface LineError {
  /** Of the line, from 1. */
  readonly line: number;
  /** The field at fault; '' where the line as a whole is. */
  readonly field: string;
  readonly reason: string;
}

/** One refusal a field. */
export function refusalsOf(line: number, error: ApiError): LineError[] {
  const params = error.extras.data?.params;
  if (Array.isArray(params)) return params.map((field: string) => ({ line, field, reason: `${field} is required.` }));
  if (typeof params !== 'object' || params === null) return [{ line, field: '', reason: error.message }];
  return Object.entries(params as Record<string, string>).map(([field, reason]) => ({ line, field, reason }));
}
