import { idOf, readTermItems } from './term.items.js';

describe('readTermItems', () => {
  test.each([
    [5, [5]],
    ['5', ['5']],
    ['cat1,cat2', ['cat1', 'cat2']],
    [' cat1 , , 2024 ', ['cat1', '2024']],
    [
      [5, 'Cat, too', ' <b>Cat</b>2 '],
      [5, 'Cat, too', 'Cat2'],
    ],
    [
      [{ id: 5, name: 'x' }, { id: '6' }],
      [5, 6],
    ],
    [{ id: 5 }, [5]],
    [['', ' ', null, 'a'], ['a']],
    [[], []],
    [',', []],
    ['\ud800', ['\ufffd']],
  ])('reads %j', (value, items) => {
    expect(readTermItems(value)).toEqual(items);
  });

  test.each([
    [true],
    [[true]],
    [1.5],
    [[1.5]],
    [[[5]]],
    [{}],
    [[{ name: 'x' }]],
    [[{ id: 'x' }]],
    [['<b></b>']],
    [2 ** 53],
  ])('returns undefined for %j', (value) => {
    expect(readTermItems(value)).toBeUndefined();
  });
});

test('idOf: returns the id for a number or a text of digits', () => {
  expect([5, -5, '5', '-5', '5a', '٣'].map(idOf)).toEqual([5, -5, 5, undefined, undefined, undefined]);
});
