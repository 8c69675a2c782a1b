import { isEmail } from './email.js';

describe('isEmail', () => {
  it.each([
    'ann@hall.example',
    'a@b.c',
    'a.b+tag@sub.hall.example',
    "o'neil!#$@hall.example",
    'jörg@münchen.example',
    'ann@xn--mnchen-3ya.example',
    `${'é'.repeat(64)}@hall.example`,
    `${'🎈'.repeat(64)}@hall.example`,
  ])('VO-23: %s', (text) => expect(isEmail(text)).toBe(true));

  it.each([
    '',
    'foo',
    'a@b',
    '@b.example',
    'a@',
    'a@@b.example',
    'a@b@c.example',
    'a b@c.example',
    'a\u00a0b@c.example',
    'a\u0000@c.example',
    'a@c.example\nBcc:x',
    'a@.example',
    'a@b.',
    'a@b..example',
    'a@b .example',
    'a@-b.example',
    'a@b-.example',
    'a@b/c.example',
    `${'a'.repeat(65)}@hall.example`,
    '@'.repeat(1_000_000),
    `a@${'a-'.repeat(500_000)}`,
    `a@${'.'.repeat(1_000_000)}`,
  ])('VO-23: %#, refused', (text) => expect(isEmail(text)).toBe(false));
});
