import { Int } from '../platform/http/fields/value-fields.js';
import type { BodyExample } from '../platform/http/operation.js';
import { OfEvent, OfParent, OfPost, TermDto, TermParams, WithSlug } from '../terms/term.dto.js';

/** The accepted fields of a category (contract 13.3). */
export class CategoryDto extends TermDto {
  @Int('the id of the parent category; 0: top level', { example: 0 }) parent?: number | null;
}

/** The parameters of GET /categories, in the order of contract 13.2. */
export class CategoryParams extends TermParams {
  @OfParent() parent?: number;
  @OfPost() post?: number;
  @OfEvent() event?: number;
  @WithSlug() slug?: string;
}

/** Example bodies for the OpenAPI document. Clients can send them unchanged. */
export const CATEGORY_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: { name: 'Jazz', description: 'Trios and more', slug: 'jazz', parent: 0 },
    },
    short: { summary: 'as little as possible', value: { name: 'Workshops' } },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { description: 'Trios, quartets and more' } } },
};
