/** One page of a collection. `number` starts at 1, `size` is in records. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

/** Returns the page. A `per_page` above the maximum is lowered silently (contract 9.1). */
export function pageOf(number: number, perPage: number, maxPerPage: number): Page {
  return { number, size: Math.min(perPage, maxPerPage) };
}

export function totalPages(total: number, page: Page): number {
  return Math.ceil(total / page.size);
}

/** Returns the number of rows before the page. Call `isBeyond` first: the offset of a far page overflows in a database. */
export function offsetOf(page: Page): number {
  return (page.number - 1) * page.size;
}

/** Whether the page comes after the last one. The first page always exists (contract 9.1). */
export function isBeyond(total: number, page: Page): boolean {
  return page.number > 1 && page.number > totalPages(total, page);
}
