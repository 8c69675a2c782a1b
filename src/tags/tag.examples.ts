import type { BodyExample } from '../platform/http/operation.js';

/** Bodies for the documentation: they work as they are. */
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
