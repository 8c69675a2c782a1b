import { EventParams } from '../events/event.params.js';
import { readInput } from '../platform/http/fields/input.js';

const MAX_PAGE = 10_000;

/** Returns the page number, or throws the 400 of the list. */
export function pageNumber(value: unknown): number {
  if (value === undefined) return 1;
  const { dto, problems } = readInput(EventParams, 'filter', { page: value });
  if (dto.page !== undefined && dto.page > MAX_PAGE)
    problems.add('page', 'rest_out_of_bounds', `must be at most ${MAX_PAGE}.`);
  problems.throwIfAny();
  return dto.page ?? 1;
}

/** Returns the last one of repeated values. */
export function oneValue(value: unknown): string {
  if (typeof value === 'string') return value;
  const values = (value as { values?: unknown[] } | undefined)?.values;
  return typeof values?.at(-1) === 'string' ? (values.at(-1) as string) : '';
}

export function withQuery(path: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(values).toString();
  return query === '' ? path : `${path}?${query}`;
}
