import { subscribedFeed } from './subscribed-address.js';

test.each([
  ['/events/?ical=1', { kind: 'all' }],
  ['/events?ical=1', { kind: 'all' }],
  ['/events/list/?ical=1&tribe-bar-date=2026-01-01', { kind: 'all' }],
  ['/?post_type=tribe_events&ical=1', { kind: 'all' }],
  ['/?post_type=tribe_events&ical=1&eventDisplay=list', { kind: 'all' }],
  ['/de/events/?outlook-ical=1', { kind: 'all' }],
  ['/events/category/music/?ical=1', { kind: 'category', slug: 'music' }],
  ['/tag/caf%C3%A9/?outlook-ical=1', { kind: 'tag', slug: 'caf%C3%A9' }],
  ['/event/jazz/?ical=1', { kind: 'event', slug: 'jazz' }],
  ['/event/jazz/ical/', { kind: 'event', slug: 'jazz' }],
  ['/fr/event/jazz/ical', { kind: 'event', slug: 'jazz' }],
  ['/venue/hall/?ical=1', { kind: 'venue', slug: 'hall' }],
  ['/organizer/bob/?ical=1', { kind: 'organizer', slug: 'bob' }],
  ['/', undefined],
  ['/?ical=1', undefined],
  ['/events/', undefined],
  ['/events/?ical=0', undefined],
  ['/events/?medical=1', undefined],
  ['/xx/events/?ical=1', undefined],
  ['/venues/?ical=1', undefined],
  ['/venue/a/b/?ical=1', undefined],
  ['/event/jazz/ical/x', undefined],
])('ICS-30: %s', (address, expected) => {
  const [path = '', query = ''] = address.split('?');
  expect(subscribedFeed(path, query, ['en', 'de', 'fr'])).toEqual(expected);
});
