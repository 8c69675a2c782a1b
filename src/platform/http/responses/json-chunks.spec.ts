import { countCharacters, jsonChunks } from './json-chunks.js';
import { JsonText } from './json-text.js';

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
])('the chunks of %j with the list %s join to its JSON', (body, list) => {
  const json = JSON.stringify(body);
  expect([...jsonChunks(structuredClone(body), list)].join('')).toBe(json);
});

test('a list has one chunk per item', () => {
  const events = [...ITEMS];
  const chunks = [...jsonChunks({ events }, 'events')];
  expect(chunks).toEqual(expect.arrayContaining(ITEMS.map((item) => expect.stringContaining(JSON.stringify(item)))));
  expect(events).toEqual([]);
});

test('takes JSON that is ready as it is, which anything else sees as its object', () => {
  const text = '{ "id": 1 }';
  const ready = () => new JsonText(text);
  expect([...jsonChunks({ events: [ready(), ...ITEMS], total: 3 }, 'events')].join('')).toContain(`[${text},{"id":1`);
  expect([...jsonChunks(ready(), undefined)]).toEqual([text]);
  expect(JSON.stringify({ event: ready() })).toBe('{"event":{"id":1}}');
  expect(countCharacters(ready())).toBe(text.length);
});

test('counts the characters of all strings at any depth', () => {
  expect(countCharacters({ events: ITEMS, rest_url: 'x', total: 2, image: false, none: null })).toBe(8);
});
