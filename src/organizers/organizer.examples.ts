import type { BodyExample } from '../platform/http/operation.js';

/** Bodies for the documentation: they work as they are. */
export const ORGANIZER_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: {
        organizer: 'Bob',
        description: 'Runs things',
        phone: '+1 555 0101',
        website: 'https://bob.example.org',
        email: 'bob@example.com',
      },
    },
    short: { summary: 'as little as possible', value: { organizer: 'The town' } },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { email: 'bob@example.org', phone: null } } },
};
