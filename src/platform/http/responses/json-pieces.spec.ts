import { charactersIn, jsonPieces } from './json-pieces.js';

const ITEMS = [
  { id: 1, title: 'Ü"\n' },
  { id: 2, none: undefined, venue: { venue: 'Hall' } },
];

test.each([
  [{ events: ITEMS, rest_url: 'x', next: undefined, total: 2 }, 'events'],
  [{ rest_url: 'x', total: 2, events: ITEMS }, 'events'],
  [{ events: [], total: 0 }, 'events'],
  [{ total: 2 }, 'events'],
  [{ none: undefined }, 'events'],
  [{}, 'events'],
  [{ id: 1, events: ITEMS }, undefined],
  [{}, undefined],
])('the pieces of %j with the list %s are its JSON', (body, list) => {
  const json = JSON.stringify(body);
  expect([...jsonPieces(structuredClone(body), list)].join('')).toBe(json);
});

test('a list comes an item at a time', () => {
  const events = [...ITEMS];
  const pieces = [...jsonPieces({ events }, 'events')];
  expect(pieces).toEqual(expect.arrayContaining(ITEMS.map((item) => expect.stringContaining(JSON.stringify(item)))));
  expect(events).toEqual([]);
});

test('the characters of all texts are counted, however deep', () => {
  expect(charactersIn({ events: ITEMS, rest_url: 'x', total: 2, image: false, none: null })).toBe(8);
});
