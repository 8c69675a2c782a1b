import { nextMidnight, addDays, addMonths, addSeconds, weekday } from './calendar-arithmetic.js';

describe('addMonths', () => {
  it.each([
    ['2026-11-20 08:39:00', 24, '2028-11-20 08:39:00'],
    ['2027-01-31 10:00:00', 1, '2027-02-28 10:00:00'],
    ['2028-01-31 10:00:00', 1, '2028-02-29 10:00:00'],
    ['2028-02-29 10:00:00', 12, '2029-02-28 10:00:00'],
    ['2027-01-15 10:00:00', -1, '2026-12-15 10:00:00'],
    ['2027-12-31 10:00:00', -13, '2026-11-30 10:00:00'],
    ['2027-01-31 23:59:59', 12 * -1000, '1027-01-31 23:59:59'],
    ['9999-12-15 00:00:00', 1, '10000-01-15 00:00:00'],
    ['2027-01-15 00:00:00', 12 * -1977, '0050-01-15 00:00:00'],
  ])('%s %d months: %s', (wall, months, expected) => {
    expect(addMonths(wall, months)).toBe(expected);
  });
});

describe('addDays, addSeconds', () => {
  it.each([
    ['2028-02-28 10:00:00', 1, '2028-02-29 10:00:00'],
    ['2027-01-01 10:00:00', -1, '2026-12-31 10:00:00'],
    ['1900-02-28 10:00:00', 1, '1900-03-01 10:00:00'],
    ['9999-12-31 10:00:00', 1, '10000-01-01 10:00:00'],
  ])('%s %d days: %s', (wall, days, expected) => {
    expect(addDays(wall, days)).toBe(expected);
    expect(addSeconds(wall, days * 86_400)).toBe(expected);
    expect(addDays(expected, -days)).toBe(wall);
  });
});

describe('weekday', () => {
  it.each([
    ['2026-11-20 08:39:00', 5],
    ['1970-01-01 00:00:00', 4],
    ['1969-12-28 23:59:59', 0],
    ['1000-01-01 00:00:00', 3],
    ['2027-01-02 00:00:00', 6],
  ])('%s: %d', (wall, day) => {
    expect(weekday(wall)).toBe(day);
  });
});

describe('nextMidnight', () => {
  it.each([
    ['2026-11-20 08:39:00', 'UTC', '2026-11-21 00:00:00'],
    ['2026-11-20 23:30:00', 'Europe/Berlin', '2026-11-21 23:00:00'],
    ['2026-11-20 08:39:00', 'UTC-5', '2026-11-21 05:00:00'],
    // Clocks skip midnight in Beirut: the day begins at 01:00.
    ['2026-03-28 12:00:00', 'Asia/Beirut', '2026-03-28 22:00:00'],
  ])('after %s in %s is %s', (now, zone, expected) => expect(nextMidnight(now, zone)).toBe(expected));
});
