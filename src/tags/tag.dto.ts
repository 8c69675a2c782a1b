import type { BodyExample } from '../platform/http/operation.js';
import { OfEvent, OfPost, TermDto, TermParams, WithSlug } from '../terms/term.dto.js';

/** The accepted fields of a tag, without `parent` (contract 13.3). */
export class TagDto extends TermDto {}

/** The parameters of GET /tags, in the order of contract 13.2. */
export class TagParams extends TermParams {
  @OfPost() post?: number;
  @OfEvent() event?: number;
  @WithSlug() slug?: string;
}

/** Example bodies for the OpenAPI document. Clients can send them unchanged. */
export const TAG_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: { name: 'Open air', description: 'Under the sky', slug: 'open-air' },
    },
    short: { summary: 'as little as possible', value: { name: 'Free entry' } },
  },
  update: {
    change: { summary: 'what changes; the rest stays', value: { description: 'Under the sky, rain or shine' } },
  },
};
