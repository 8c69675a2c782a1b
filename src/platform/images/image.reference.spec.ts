import { readImageReference } from './image.reference.js';

describe('readImageReference', () => {
  it.each([
    [5, { id: 5 }],
    ['5', { id: 5 }],
    [' 007 ', { id: 7 }],
    [-3, { id: -3 }],
    [Number.MAX_SAFE_INTEGER, { id: Number.MAX_SAFE_INTEGER }],
  ])('EV-NEW-06: %j is an id', (value, reference) => expect(readImageReference(value)).toEqual(reference));

  it.each([
    ['https://x.example/a.jpg', 'https://x.example/a.jpg'],
    ['  HTTP://x.example/ü.png\n', 'HTTP://x.example/ü.png'],
    ['https://x.example/\ud800', 'https://x.example/\ufffd'],
  ])('EV-NEW-06: %j is a URL', (value, url) => expect(readImageReference(value)).toEqual({ url }));

  it.each([0, '0', '00', ' 0 ', false])('EV-NEW-06: %j means no image', (value) =>
    expect(readImageReference(value)).toBe('none'),
  );

  it('EV-NEW-06: only the id of an object counts', () => {
    const sentBack = { url: 'https://x.example/a.jpg', id: 3, extension: 'jpg' };
    expect(readImageReference(sentBack)).toEqual({ id: 3 });
    expect(readImageReference({ id: '3' })).toEqual({ id: 3 });
  });

  it.each([
    'foo bar',
    'ftp://x.example/a.jpg',
    'x.example/a.jpg',
    '//x.example/a.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
    'https://x.example/a b.jpg',
    'true',
    'false',
    ' ',
    '5.0',
    '9007199254740993',
    1.5,
    1e300,
    NaN,
    true,
    [[5]],
    {},
    { url: 'https://x.example/a.jpg' },
    { id: 'x' },
    { id: null },
    { id: { id: 5 } },
  ])('EV-NEW-06: %j is rejected', (value) => expect(readImageReference(value)).toBeUndefined());

  it('section 3: a URL has at most 2000 code points', () => {
    const longest = 'https://x.example/'.padEnd(2000 - 1, 'a') + '🎷';
    expect(readImageReference(longest)).toEqual({ url: longest });
    expect(readImageReference(`${longest}a`)).toBeUndefined();
  });
});
