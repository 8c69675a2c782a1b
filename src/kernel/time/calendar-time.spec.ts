import {
  dateDetails,
  endOfDay,
  isoWithOffset,
  isWallTimeInRange,
  offsetAt,
  startOfDay,
  startOfDayUtc,
  toUtc,
  toWall,
} from './calendar-time.js';

describe('toUtc', () => {
  it.each([
    ['DATE-11 gap moves forward', '2027-03-28 02:30:00', 'Europe/Paris', '2027-03-28 01:30:00', '2027-03-28 03:30:00'],
    [
      'DATE-11 overlap is the first',
      '2027-10-31 02:30:00',
      'Europe/Paris',
      '2027-10-31 00:30:00',
      '2027-10-31 02:30:00',
    ],
    ['DATE-15', '2027-07-01 10:00:00', 'UTC+2', '2027-07-01 08:00:00', '2027-07-01 10:00:00'],
    ['DATE-15', '2027-07-01 10:00:00', 'UTC-5', '2027-07-01 15:00:00', '2027-07-01 10:00:00'],
    ['half an hour', '2027-07-01 10:00:00', 'UTC-5:30', '2027-07-01 15:30:00', '2027-07-01 10:00:00'],
    ['half an hour', '2027-10-03 02:10:00', 'Australia/Lord_Howe', '2027-10-02 15:40:00', '2027-10-03 02:40:00'],
    ['no midnight', '2018-11-04 00:00:00', 'America/Sao_Paulo', '2018-11-04 03:00:00', '2018-11-04 01:00:00'],
    ['no such day', '2011-12-30 15:00:00', 'Pacific/Apia', '2011-12-31 01:00:00', '2011-12-31 15:00:00'],
    ['first year', '1000-01-01 00:00:00', 'Asia/Tokyo', '0999-12-31 14:41:01', '1000-01-01 00:00:00'],
    ['last year', '9999-12-31 23:00:00', 'UTC-5', '10000-01-01 04:00:00', '9999-12-31 23:00:00'],
    ['leap day', '2028-02-29 12:00:00', 'UTC', '2028-02-29 12:00:00', '2028-02-29 12:00:00'],
  ])('%s: %s in %s is %s', (_, wall, zone, utc, shown) => {
    expect(toUtc(wall, zone)).toBe(utc);
    expect(toWall(utc, zone)).toBe(shown);
  });
});

describe('offsetAt, isoWithOffset', () => {
  it.each([
    ['Europe/Paris', '2026-12-05 19:00:00', '2026-12-05T20:00:00', '+01:00'],
    ['Europe/Paris', '2026-07-05 19:00:00', '2026-07-05T21:00:00', '+02:00'],
    ['America/St_Johns', '2026-12-05 19:00:00', '2026-12-05T15:30:00', '-03:30'],
    ['UTC', '2026-11-20 09:30:00', '2026-11-20T09:30:00', '+00:00'],
    ['UTC-0:30', '2026-11-20 09:30:00', '2026-11-20T09:00:00', '-00:30'],
    ['Europe/Paris', '1800-01-01 00:00:00', '1800-01-01T00:09:21', '+00:09'],
  ])('%s at %s', (zone, utc, local, offset) => {
    expect(offsetAt(utc, zone)).toBe(offset);
    expect(isoWithOffset(utc, zone)).toBe(local + offset);
  });
});

describe('dateDetails', () => {
  it('DATE-17: returns zero-padded strings in order', () => {
    expect(JSON.stringify(dateDetails('2026-12-05 20:00:07'))).toBe(
      '{"year":"2026","month":"12","day":"05","hour":"20","minutes":"00","seconds":"07"}',
    );
  });
});

describe('days', () => {
  it('DATE-13: a day lasts from 00:00:00 to 23:59:59', () => {
    expect(startOfDay('2027-03-10 09:00:00')).toBe('2027-03-10 00:00:00');
    expect(endOfDay('2027-03-10 09:00:00')).toBe('2027-03-10 23:59:59');
  });

  it.each([
    ['a plain day', '2027-03-10 17:00:00', 'Europe/Paris', '2027-03-09 23:00:00'],
    ['midnight skipped', '2018-11-04 12:00:00', 'America/Sao_Paulo', '2018-11-04 03:00:00'],
    ['midnight skipped', '2027-03-28 12:00:00', 'Asia/Beirut', '2027-03-27 22:00:00'],
    ['23:30 to 00:30 skipped', '1919-03-31 12:00:00', 'America/Toronto', '1919-03-31 04:30:00'],
    ['the day skipped', '2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30 10:00:00'],
    ['midnight twice', '2027-11-07 12:00:00', 'America/Havana', '2027-11-07 04:00:00'],
    ['after the last year', '10000-01-01 00:00:00', 'UTC-5', '10000-01-01 05:00:00'],
  ])('%s: %s in %s begins at %s', (_, wall, zone, utc) => {
    expect(startOfDayUtc(wall, zone)).toBe(utc);
  });
});

describe('isWallTimeInRange', () => {
  it.each([
    ['0999-12-31 23:59:59', false],
    ['1000-01-01 00:00:00', true],
    ['9999-12-31 23:59:59', true],
    ['10000-01-01 00:00:00', false],
    ['NaN-NaN-NaN NaN:NaN:NaN', false],
  ])('%s: %s', (time, inRange) => {
    expect(isWallTimeInRange(time)).toBe(inRange);
  });
});
