import { editsBetween, nearestName } from './spelling.js';

describe('editsBetween', () => {
  it.each([
    ['PORT', 'PORT', 0],
    ['PROT', 'PORT', 1],
    ['POR', 'PORT', 1],
    ['PORTS', 'PORT', 1],
    ['PARTS', 'PORT', 2],
    ['ab', 'ba', 1],
    ['abc', 'cba', 2],
    ['', 'ab', 2],
    ['ab', '', 2],
  ])('%s and %s differ by %d edits', (a, b, edits) => {
    expect(editsBetween(a, b)).toBe(edits);
  });

  it.each([
    ['abcdef', 'uvwxyz', 2],
    ['abcdef', 'abcdyz', 2],
    ['abcdef', 'abdcef', 1],
  ])('%s and %s have at least %d edits, which was enough', (a, b, enough) => {
    expect(editsBetween(a, b, enough)).toBe(enough);
  });

  it('counts a swap before it has enough', () => {
    expect(editsBetween('abcdef', 'badcef', 3)).toBe(2);
  });
});

describe('nearestName', () => {
  const known = ['title', 'start_date', 'end_date', 'tags'];

  it.each([
    ['titel', 2, 'title'],
    ['startDate', 2, 'start_date'],
    ['start-date', 2, 'start_date'],
    ['TITLE', 1, 'title'],
    ['tag', 1, 'tags'],
    ['colour', 2, undefined],
    ['titles of it', 2, undefined],
  ])('%s within %d edits means %s', (name, maxEdits, expected) => {
    expect(nearestName(name, known, maxEdits)).toBe(expected);
  });

  it('takes the nearest of several names', () => {
    expect(nearestName('date', ['mate', 'data', 'dates', 'date'], 1)).toBe('date');
  });
});
