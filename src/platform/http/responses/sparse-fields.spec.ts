import { sparseFields } from './sparse-fields.js';

const EVENT = {
  id: 1,
  title: 'Jazz',
  venue: { id: 2, city: 'Lyon' },
  organizer: [
    { id: 3, organizer: 'Ann' },
    { id: 4, organizer: 'Bob' },
  ],
  image: false,
};
const PAGE = { events: [EVENT], rest_url: 'u', total: 1, total_pages: 1 };

describe('sparseFields (contract 5.3)', () => {
  it.each([
    ['id', { id: 1 }],
    ['title,id', { id: 1, title: 'Jazz' }],
    ['id,venue.city', { id: 1, venue: { city: 'Lyon' } }],
    ['organizer.organizer', { organizer: [{ organizer: 'Ann' }, { organizer: 'Bob' }] }],
    ['venue,venue.city', { venue: { id: 2, city: 'Lyon' } }],
    ['venue.city,venue', { venue: { id: 2, city: 'Lyon' } }],
    ['venue.city,venue.id', { venue: { id: 2, city: 'Lyon' } }],
    ['nope', {}],
    ['image.url', {}],
    ['title.length', {}],
    ['constructor,__proto__,toString', {}],
    ['__proto__.x', {}],
  ])('reduces a record by _fields=%s', (paths, expected) => {
    expect(sparseFields(EVENT, paths.split(','), undefined)).toEqual(expected);
  });

  it.each([
    ['total', { total: 1 }],
    ['id,title', { ...PAGE, events: [{ id: 1, title: 'Jazz' }] }],
    ['total,id', { events: [{ id: 1 }], total: 1 }],
    ['events.title', { events: [{ title: 'Jazz' }] }],
    ['events.title,id', { events: [{ id: 1, title: 'Jazz' }] }],
    ['events,id', { events: [EVENT] }],
    ['total,events,id,code', { events: [EVENT], total: 1 }],
    ['total,code', { total: 1 }],
    ['next_rest_url', {}],
    ['next_rest_url,id', { events: [{ id: 1 }] }],
    ['nope', { ...PAGE, events: [{}] }],
    ['constructor', { ...PAGE, events: [{}] }],
  ])('reduces a collection by _fields=%s', (paths, expected) => {
    expect(sparseFields(PAGE, paths.split(','), 'events')).toEqual(expected);
  });

  it('keeps an empty list, because it shows no field names', () => {
    expect(sparseFields({ ...PAGE, events: [], total: 0 }, ['total', 'id'], 'events')).toEqual({
      events: [],
      total: 0,
    });
  });

  it('keeps the order of keys', () => {
    expect(Object.keys(sparseFields(PAGE, ['total', 'rest_url', 'events'], 'events') as object)).toEqual([
      'events',
      'rest_url',
      'total',
    ]);
  });
});
