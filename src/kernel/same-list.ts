/** Whether two lists have the same numbers in the same order. */
export function isSameList(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((number, place) => number === others[place]);
}
