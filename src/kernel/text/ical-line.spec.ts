import { icalLine, icalQuoted, icalText, icalTime } from './ical-line.js';

const unfolded = (lines: string) => lines.replaceAll('\r\n ', '').replace(/\r\n$/, '');

test.each([
  ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
  ['one\ntwo\r\nthree\rfour', 'one\\ntwo\\nthree\\nfour'],
  ['a\tb\0c\x85d', 'abcd'],
  ['a "quoted": text', 'a "quoted": text'],
  ['Oπe\\n Conf', 'Oπe\\\\n Conf'],
])('icalText escapes %j', (text, expected) => {
  expect(icalText(text)).toBe(expected);
});

test('icalQuoted replaces quotes, which a parameter cannot contain', () => {
  expect(icalQuoted('Bob "B"; Sons, Ltd: X\n')).toBe(`"Bob 'B'; Sons, Ltd: X "`);
});

test('icalTime has the basic format', () => expect(icalTime('2026-03-29 02:00:00')).toBe('20260329T020000'));

test.each([
  ['ASCII', 'x'.repeat(500)],
  ['a line of 75 octets', 'x'.repeat(67)],
  ['a line of 76 octets', 'x'.repeat(68)],
  ['two octets', 'é'.repeat(300)],
  ['three octets', '漢'.repeat(300)],
  ['pairs', '😀'.repeat(500)],
  ['a mixture', 'a😀é漢\u0301\u202eשלום'.repeat(60)],
])('ICS-17: icalLine folds %s after 75 octets, between characters', (_, value) => {
  const lines = icalLine('SUMMARY', value);
  expect(unfolded(lines)).toBe(`SUMMARY:${value}`);
  const pieces = lines.slice(0, -2).split('\r\n');
  for (const [index, piece] of pieces.entries()) {
    const octets = Buffer.byteLength(piece);
    expect(octets).toBeLessThanOrEqual(75);
    // As long as possible: the next character has four octets at most.
    if (index < pieces.length - 1) expect(octets).toBeGreaterThan(71);
    expect(piece.isWellFormed()).toBe(true);
  }
});
