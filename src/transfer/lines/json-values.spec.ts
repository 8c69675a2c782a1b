import { ValueSplitter } from './json-values.js';

/** Splits a text that comes in chunks of some bytes. */
function split(text: string, chunkBytes: number, maxBytes = 1_000) {
  const bytes = Buffer.from(text);
  const splitter = new ValueSplitter(maxBytes);
  const lines = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    lines.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
  return [...lines, ...splitter.end()].map(({ number, column, bytes: value, fault }) => [
    `${number}${column === undefined ? '' : `:${column}`}`,
    fault === undefined ? value.toString() : 'fault',
  ]);
}

describe('ValueSplitter', () => {
  it.each<[string, string, string[][]]>([
    [
      'lines',
      '{"a":1}\n\nx\n',
      [
        ['1', '{"a":1}'],
        ['3', 'x'],
      ],
    ],
    [
      'an object of several lines',
      '{\n "a": "}",\n "b": [{}]\n}\n{"c":1}',
      [
        ['1', '{\n "a": "}",\n "b": [{}]\n}'],
        ['5', '{"c":1}'],
      ],
    ],
    [
      'an object without its end',
      '{\n "a": 1,\n{"b":1}',
      [
        ['1', '{\n "a": 1,'],
        ['3', '{"b":1}'],
      ],
    ],
    [
      'an array in one line',
      '[{"a":"]"},{"é":[1]} , 5]',
      [
        ['1:2', '{"a":"]"}'],
        ['1:12', '{"é":[1]}'],
        ['1:24', '5'],
      ],
    ],
    [
      'an array of several lines',
      '\n[\n  {"a":\n 1},\n{"b":"\\""}\n]\n',
      [
        ['3:3', '{"a":\n 1}'],
        ['5:1', '{"b":"\\""}'],
      ],
    ],
    [
      'arrays after each other',
      '[{"a":1}]\n[{"b":1}]',
      [
        ['1:2', '{"a":1}'],
        ['2:2', '{"b":1}'],
      ],
    ],
    ['an empty array', '[ ]', []],
    [
      'an array without its end',
      '[{"a":1},\n',
      [
        ['1:2', '{"a":1}'],
        ['2', 'fault'],
      ],
    ],
    [
      'a text without its end',
      '[{"a":"x\n},\n{"b":1}]',
      [
        ['1:2', '{"a":"x\n}'],
        ['3:1', '{"b":1}'],
      ],
    ],
    [
      'text after an array',
      '[1] x\n[2]',
      [
        ['1:2', '1'],
        ['1:5', 'x'],
        ['2:2', '2'],
      ],
    ],
    ['a byte order mark', '\ufeff[{"a":1}]', [['1:3', '{"a":1}']]],
  ])('splits %s, however it comes', (_, text, expected) => {
    for (const chunkBytes of [1, 3, 1_000])
      expect([chunkBytes, split(text, chunkBytes)]).toEqual([chunkBytes, expected]);
  });

  it('truncates a longer value to one byte more than the limit', () => {
    const long = 'x'.repeat(50);
    expect(split(`["${long}",1]`, 7, 10)).toEqual([
      ['1:2', `"${long}`.slice(0, 11)],
      ['1:55', '1'],
    ]);
    expect(split(`{\n"${long}\n}\n{}`, 7, 10)).toEqual([
      ['1', `{\n"${long}`.slice(0, 11)],
      ['4', '{}'],
    ]);
  });
});
