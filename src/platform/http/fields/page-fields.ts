import { type Page, pageOf } from '../../../kernel/pagination.js';
import type { RequestContext } from '../request-context.js';
import { Int } from './value-fields.js';

const DEFAULT_NUMBER = 1;
const DEFAULT_SIZE = 10;

/** The paging parameters of every list. */
export interface PageParams {
  page?: number;
  per_page?: number;
}

export const PageNumber = (description: string) => Int(description, { min: 1, default: DEFAULT_NUMBER, example: 2 });
export const PageSize = (description: string) => Int(description, { min: 1, default: DEFAULT_SIZE, example: 20 });

/** Returns the requested page, with the documented defaults. */
export function requestedPage(params: PageParams, { site }: RequestContext): Page {
  return pageOf(params.page ?? DEFAULT_NUMBER, params.per_page ?? DEFAULT_SIZE, site.maxPerPage);
}
