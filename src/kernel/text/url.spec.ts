import { growth, MOST_GROWTH } from '../../../test/support/processor-time.js';
import { isEmail, isImageUrl, isWebAddress } from './url.js';

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
  ])('VO-23: accepts %s', (text) => expect(isEmail(text)).toBe(true));

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
  ])('VO-23: rejects text %#', (text) => expect(isEmail(text)).toBe(false));
});

describe('isWebAddress', () => {
  it.each([
    'https://x.example/?a=1&b=2',
    'http://x.example/ü',
    'http://münchen.example',
    'HTTP://X',
    'http://localhost:8080/a#b',
    'http://x.example/%zz',
    'http://127.0.0.1',
    'http://[::1]:8080/',
    'https://user:secret@x.example/',
    'http://x?a',
    'ftp://x.example/file',
    'mailto:a@b.example',
    'MAILTO:a@b.example,c@d.example?subject=Hello%20you',
    `https://x.example/${'a'.repeat(100_000)}`,
  ])('TXT-09: accepts URL %#', (text) => expect(isWebAddress(text)).toBe(true));

  it.each([
    '',
    'foo',
    '//h',
    'javascript:alert(1)',
    'a b',
    'x.example',
    '/path',
    'http://',
    'http:///x',
    'http:/x',
    'http:x',
    'http:',
    'http://?a',
    'http://#a',
    'http://:80',
    'http://@',
    'http://x:99999/',
    'http://x:port/',
    'http://[::1',
    'http://a%zz/',
    'http://x.example/a b',
    'http://x.example/a\u00a0b',
    'http://x.example/a\nb',
    'http://x.example/a\u0085b',
    'http://x.example\\@y.example/',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'tel:123',
    'file:///etc/hosts',
    'xhttp://x.example',
    'mailto:',
    'mailto:foo',
    'mailto:?subject=x',
    'mailto:a@b.example,',
  ])('TXT-09: %j is rejected', (text) => expect(isWebAddress(text)).toBe(false));

  it('TXT-09: a non-ASCII host is accepted on every call', () => {
    const results = Array.from({ length: 20_000 }, () => isWebAddress('http://münchen.example'));
    expect(results.indexOf(false)).toBe(-1);
  });

  it.each([':'.repeat(1_000_000), 'http:'.repeat(200_000), `mailto:${','.repeat(1_000_000)}`])(
    'TXT-09: rejects the long text %# in linear time',
    async (text) => {
      expect(isWebAddress(text)).toBe(false);
      expect(await growth(text, isWebAddress)).toBeLessThan(MOST_GROWTH);
    },
  );
});

describe('isImageUrl', () => {
  it.each(['http://x.example/a.jpg', 'HTTPS://x.example/ü.png'])('EV-NEW-06: accepts %s', (text) => {
    expect(isImageUrl(text)).toBe(true);
  });

  it.each(['foo bar', 'ftp://x.example/a.jpg', 'mailto:a@b.example', 'data:image/png;base64,AA', '/a.jpg', 'http://'])(
    'EV-NEW-06: %s is rejected',
    (text) => expect(isImageUrl(text)).toBe(false),
  );
});
