import { type Page, pageOf } from '../../../kernel/pagination.js';
import type { RequestContext } from '../request-context.js';
import { defaultOf, fieldsOf } from './field-metadata.js';
import { Int } from './value-fields.js';

/** The paging parameters of every list. */
export interface PageParams {
  page?: number;
  per_page?: number;
}

export const PageNumber = (description: string) => Int(description, { min: 1, default: 1, example: 2 });
export const PageSize = (description: string) => Int(description, { min: 1, default: 10, example: 20 });

/** Returns the requested page. Defaults come from the fields of the parameters. */
export function requestedPage(params: PageParams, context: RequestContext): Page {
  const fields = fieldsOf(params.constructor as new () => object);
  const valueOf = (name: keyof PageParams) => {
    const field = fields.find((one) => one.name === name);
    return params[name] ?? Number(field && defaultOf(field, context));
  };
  return pageOf(valueOf('page'), valueOf('per_page'), context.site.maxPerPage);
}
