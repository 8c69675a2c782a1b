import { slugify } from '../kernel/text/slug.js';
import { IdList } from '../platform/http/fields/list-fields.js';
import { PageNumber, PageSize } from '../platform/http/fields/page-fields.js';
import { RawText, Slug, Text } from '../platform/http/fields/text-fields.js';
import { Choice, Flag, Int } from '../platform/http/fields/value-fields.js';
import { TERM_ORDERS, type TermOrder } from './term.sort.js';

/** The accepted fields that categories and tags share. null clears a field (contract 13.3). */
export class TermDto {
  @Text('the name of the term', { max: 200, required: true, whenEmpty: 'refuse', example: 'Music' }) name?: string;
  @Text('the description of the term', { max: Infinity, example: 'Concerts of all kinds' }) description?: string | null;
  @Slug('the last part of the human address; unset: made from the name', slugify) slug?: string | null;
}

/** The same with the fields that only categories have. */
export interface TermFields extends TermDto {
  parent?: number | null;
}

/** The first list parameters, which categories and tags have in the same order (contract 13.2). */
export class TermParams {
  @PageNumber('the page to return') page?: number;
  @PageSize('terms per page') per_page?: number;
  @RawText('limit to terms whose name or slug contains the string', { max: 500, example: 'mus' }) search?: string;
  @IdList('leave out the terms with these ids') exclude?: number[];
  @IdList('only the terms with these ids') include?: number[];
  @Choice('ascending or descending sort', { words: ['asc', 'desc'], example: 'desc' }) order?: 'asc' | 'desc';
  @Choice('the attribute to sort by', { words: TERM_ORDERS, example: 'count' }) orderby?: TermOrder;
  @Flag('hide terms that no published event carries', { default: '1' }) hide_empty?: boolean;
}

/** All list parameters of both. Each resource declares those after `hide_empty`, because their order differs. */
export interface TermFilters extends TermParams {
  parent?: number;
  post?: number;
  event?: number;
  slug?: string;
}

export const OfParent = () => Int('only the direct children of this category; 0: the top level', { example: 0 });
export const OfPost = () => Int('only the terms of this event');
export const OfEvent = () => Int('alias of post');
export const WithSlug = () => RawText('only the term with this slug', { max: 500, example: 'music' });

/** The parameters in links of the collection, in the order of the table (contract 9.2). */
export const LINKED_FILTERS: readonly (keyof TermFilters)[] = [
  'search',
  'exclude',
  'include',
  'order',
  'orderby',
  'hide_empty',
  'parent',
  'post',
  'event',
  'slug',
];

export class TermDeletion {
  @Flag('answer with the deleted term under `previous`') force?: boolean;
}
