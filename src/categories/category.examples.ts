import type { BodyExample } from '../platform/http/operation.js';

/** Bodies for the documentation: they work as they are. */
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
