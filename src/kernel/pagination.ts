/** One page of a collection: 1-based number and size. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

/** `per_page` above the cap is lowered silently (contract 9.1). */
export function pageOf(number: number, perPage: number, maxPerPage: number): Page {
  return { number, size: Math.min(perPage, maxPerPage) };
}

export function totalPages(total: number, page: Page): number {
  return Math.ceil(total / page.size);
}

/** Rows before the page; compare `isBeyond` first, since far pages overflow what a database takes as an offset. */
export function offsetOf(page: Page): number {
  return (page.number - 1) * page.size;
}

/** Whether the page lies behind the last one; the first page always exists (contract 9.1). */
export function isBeyond(total: number, page: Page): boolean {
  return page.number > 1 && page.number > totalPages(total, page);
}
