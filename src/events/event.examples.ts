import type { BodyExample } from '../platform/http/operation.js';

/** Bodies for the documentation: they work as they are. */
export const EVENT_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with venue, organizer and terms',
      value: {
        title: 'Jazz & Wine',
        description: 'Doors at 7.\n\nBring friends.',
        start_date: '2027-03-10 20:00',
        end_date: '2027-03-10 23:30',
        timezone: 'Europe/Paris',
        cost: '20€',
        website: 'https://jazz.example/',
        featured: true,
        categories: ['Music'],
        tags: ['evening'],
        venue: [{ venue: 'Blue Room', city: 'Lyon', country: 'France' }],
        organizer: [{ organizer: 'Bob', email: 'bob@example.com' }],
      },
    },
    short: {
      summary: 'as little as possible',
      value: { title: 'Town meeting', start_date: '2027-03-11 19:00', end_date: '2027-03-11 21:00' },
    },
  },
  update: {
    change: { summary: 'what changes; the rest stays', value: { title: 'Jazz, Wine & Cheese', cost: '20€ - 25€' } },
    move: {
      summary: 'another time',
      value: { start_date: '2027-03-17 20:00', end_date: '2027-03-17 23:30' },
    },
  },
};
