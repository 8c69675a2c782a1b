import { dayAfter, weekdayOf } from './formats.js';
import { isBeyond, isDay, isMonth, monthAfter, monthGrid } from './grid.js';

describe('monthGrid', () => {
  test.each([
    ['28 days from a Monday', '2027-02', 1, 4, '2027-02-01', '2027-02-28'],
    ['28 days, the week from Sunday', '2026-02', 0, 4, '2026-02-01', '2026-02-28'],
    ['31 days from a Sunday', '2026-03', 1, 6, '2026-02-23', '2026-04-05'],
    ['a leap day', '2028-02', 1, 5, '2028-01-31', '2028-03-05'],
    ['no leap day in 1900', '1900-02', 1, 5, '1900-01-29', '1900-03-04'],
    ['October 1582 has 31 days', '1582-10', 1, 5, '1582-09-27', '1582-10-31'],
    ['the first month', '1000-01', 1, 5, '0999-12-30', '1000-02-02'],
    ['the last month ends with the year 9999', '9999-12', 1, 5, '9999-11-29', '9999-12-31'],
    ['the week from Saturday', '2026-12', 6, 5, '2026-11-28', '2027-01-01'],
  ])('%s: %s, weeks from %i: %i weeks', (_, month, firstWeekday, weeks, first, last) => {
    const grid = monthGrid(month, firstWeekday);
    expect([grid.weeks.length, grid.firstDay, grid.lastDay]).toEqual([weeks, first, last]);
  });

  test('in 400 years every month stands whole in whole weeks, each day after the one before', () => {
    for (let month = '1900-01'; month < '2300-01'; month = monthAfter(month)) {
      const { weeks } = monthGrid(month, 1);
      const days = weeks.flat();
      expect(weeks.every((week) => week.length === 7 && weekdayOf(week[0]!) === 1)).toBe(true);
      expect(days.every((day, at) => at === 0 || day === dayAfter(days[at - 1]!))).toBe(true);
      const own = days.filter((day) => day.startsWith(month));
      expect([own[0], dayAfter(own.at(-1)!)]).toEqual([`${month}-01`, `${monthAfter(month)}-01`]);
      expect([weeks[0]!.some((day) => own.includes(day)), weeks.at(-1)!.some((day) => own.includes(day))]).toEqual([
        true,
        true,
      ]);
    }
  });

  test('the cells after 9999-12-31 are no days', () => {
    const beyond = monthGrid('9999-12', 1).weeks.flat().filter(isBeyond);
    expect(beyond).toHaveLength(2);
  });
});

test.each([
  ['2026-12', 1, '2027-01'],
  ['2027-01', -1, '2026-12'],
  ['2026-11', 14, '2028-01'],
  ['1000-01', -1, '0999-12'],
  ['9999-12', 1, '10000-01'],
])('monthAfter(%s, %i) is %s', (month, count, expected) => {
  expect(monthAfter(month, count)).toBe(expected);
});

test('isMonth and isDay accept what exists in the years 1000 to 9999', () => {
  expect(['2027-12', '1000-01', '9999-12'].filter(isMonth)).toHaveLength(3);
  expect(['2027-13', '2027-00', '2027-3', '0999-12', '10000-01', ' 2027-01', '2027-01-01'].filter(isMonth)).toEqual([]);
  expect(['2028-02-29', '2027-12-31', '1000-01-01', '9999-12-31'].filter(isDay)).toHaveLength(4);
  expect(['2027-02-29', '1900-02-29', '2027-04-31', '2027-01-00', '2027-1-1', '0999-12-31'].filter(isDay)).toEqual([]);
});
