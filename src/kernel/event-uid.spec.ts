import { eventUid, idInUid, isUid } from './event-uid.js';

const INSTANCE = '5f0c9a71be24';

test('an event without a uid of its own has one of the database', () => {
  expect(eventUid({ id: 12, uid: null }, INSTANCE)).toBe('12-5f0c9a71be24@kalends');
  expect(eventUid({ id: 12, uid: 'a@b' }, INSTANCE)).toBe('a@b');
});

test.each([
  ['12-5f0c9a71be24@kalends', 12],
  ['12-000000000000@kalends', undefined],
  ['012-5f0c9a71be24@kalends', undefined],
  ['x-5f0c9a71be24@kalends', undefined],
  ['12-5f0c9a71be24@kalends.example', undefined],
])('idInUid of %s is %s', (uid, id) => expect(idInUid(uid, INSTANCE)).toBe(id));

test.each([
  ['a@b', true],
  ['😀'.repeat(255), true],
  ['😀'.repeat(256), false],
  ['', false],
  ['  ', false],
  ['a\nb', false],
])('isUid of %j is %s', (text, expected) => expect(isUid(text)).toBe(expected));
