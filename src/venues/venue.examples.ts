import type { BodyExample } from '../platform/http/operation.js';

/** Bodies for the documentation: they work as they are. */
export const VENUE_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: {
        venue: 'Grand Hall',
        description: 'Big hall',
        address: '1 Main St',
        city: 'Springfield',
        country: 'United States',
        state: 'IL',
        zip: '62701',
        phone: '+1 555 0100',
        website: 'https://hall.example.org',
        geo_lat: 39.8,
        geo_lng: -89.65,
      },
    },
    short: { summary: 'as little as possible', value: { venue: 'Town Hall' } },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { phone: '+1 555 0102', website: null } } },
};
