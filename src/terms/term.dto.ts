import { slugify } from '../kernel/slug.js';
import { Slug, Text } from '../platform/http/text-fields.js';

/** What is accepted for categories and tags alike (contract 13.3); null clears. */
export class TermDto {
  @Text('the name of the term', { max: 200, required: true, whenEmpty: 'refuse', example: 'Music' }) name?: string;
  @Text('the description of the term', { max: Infinity, example: 'Concerts of all kinds' }) description?: string | null;
  @Slug('the last part of the human address; unset: made from the name', slugify) slug?: string | null;
}

/** The same with what only categories have. */
export interface TermFields extends TermDto {
  parent?: number | null;
}
