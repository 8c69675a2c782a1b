import { type ChangeToken, digestOf, readToken, writeToken } from './change-token.js';

const TOKEN: ChangeToken = {
  epoch: '9f3c0a7e',
  issuedUtc: '2026-11-20 08:39:00',
  position: { seq: 8673 },
  digest: digestOf(['event']),
};

it.each<[string, ChangeToken]>([
  ['behind a commit', TOKEN],
  ['behind a row of a commit', { ...TOKEN, position: { seq: 4_294_967_295, id: 12 } }],
  ['in a first fill', { ...TOKEN, walk: { type: 'event', afterId: 4711 } }],
  ['of a database without an epoch', { ...TOKEN, epoch: '' }],
])('a token %s is read as it was written, and has at most 200 characters', (_, token) => {
  const text = writeToken(token);
  expect(readToken(text)).toEqual(token);
  expect(text).toMatch(/^[\x21-\x7e]{1,200}$/);
});

it('CHG-16: no other text is a token', () => {
  const text = writeToken({ ...TOKEN, walk: { type: 'venue', afterId: 3 } });
  const cut = Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
  const swapped = Array.from(
    text,
    (character, at) => text.slice(0, at) + (character === '1' ? '2' : '1') + text.slice(at + 1),
  );
  // Two equal characters in a row: cutting either gives the same text, which is no token.
  for (const other of ['', 'foo', `${text}0`, ` ${text}`, text.toUpperCase(), ...cut, ...swapped]) {
    if (other !== text) expect(readToken(other)).toBeUndefined();
  }
});
