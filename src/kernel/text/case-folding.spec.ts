import { foldText, nameKey, searchText, sortKey } from './case-folding.js';

describe('nameKey', () => {
  it.each([
    ['Jazz', 'jazz'],
    ['E\u0301te\u0301', 'été'],
    ['Été', 'été'],
    ['A  B', 'a  b'],
  ])('%j is %j', (text, expected) => {
    expect(nameKey(text)).toBe(expected);
  });
});

describe('foldText', () => {
  it.each([
    ['EV-LIST-22: accents and case', 'WROCŁAW Élan', 'wroclaw elan'],
    ['EV-LIST-22: letters that do not decompose', 'ẞ æ œ Ø đ þ ı İ ǽ', 'ss ae oe o d th i i ae'],
    ['EV-LIST-22: marks of other scripts than those of Latin stay', 'が', 'が'],
    ['EV-LIST-22: accents of every script go', 'Йога ά', 'иога α'],
    ['compatible forms are the same', 'Ｊａｚｚ™\u00a0²', 'jazztm 2'],
    ['EV-LIST-23: what looks like a tag stays', '<b>', '<b>'],
    ['entities are decoded', 'A &amp; &lt;b&gt; caf&eacute;', 'a & <b> cafe'],
    ['an encoded line end is a blank', 'a&#10;b&NewLine;c', 'a b c'],
    ['lone surrogates', '\ud83d', '\ufffd'],
    ['blanks stay', ' a  b ', ' a  b '],
  ])('%s', (_title, text, expected) => {
    expect(foldText(text)).toBe(expected);
  });
});

describe('searchText', () => {
  it.each([
    ['EV-LIST-23: a tag is not found, its text is', ['<b>Évent</b>'], 'event'],
    ['EV-LIST-23: an encoded tag is found', ['<p>&lt;b&gt; A &amp; B</p>'], '<b> a & b'],
    ['one line a field', ['A', 'b\nc', ''], 'a\nb c\n'],
    ['no field', [], ''],
  ])('%s', (_title, fields, expected) => {
    expect(searchText(fields)).toBe(expected);
  });
});

describe('sortKey', () => {
  it('orders titles without regard to case and accents', () => {
    const titles = ['Zoo', 'ärger', 'Arena', 'Łódź', 'lion', 'か'];
    const sorted = titles.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    expect(sorted).toEqual(['Arena', 'ärger', 'lion', 'Łódź', 'Zoo', 'か']);
  });
});
