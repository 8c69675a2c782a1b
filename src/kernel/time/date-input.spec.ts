import { growth, MOST_GROWTH } from '../../../test/support/processor-time.js';
import { toWall } from './calendar-time.js';
import { isFixedDate, parseDate } from './date-input.js';

// Both days are Fridays.
const JANUARY = '2027-01-15 08:39:20';
const JULY = '2027-07-16 08:39:20';
const PARIS = 'Europe/Paris';
const NEW_YORK = 'America/New_York';

describe.each([
  ['January', JANUARY],
  ['July', JULY],
])('parseDate in %s: values that do not depend on now', (_, now) => {
  it.each([
    ['DATE-01', '2027-03-10', '2027-03-10 00:00:00'],
    ['DATE-01', '2027-03-10 10:00', '2027-03-10 10:00:00'],
    ['DATE-01', '2027-03-10 17:00:30', '2027-03-10 17:00:30'],
    ['DATE-01', '2027-03-10T10:00', '2027-03-10 10:00:00'],
    ['DATE-01', '2027-03-10t17:00:30', '2027-03-10 17:00:30'],
    ['DATE-01', '2027/03/10', '2027-03-10 00:00:00'],
    ['DATE-01', '2027/03/10 17:00', '2027-03-10 17:00:00'],
    ['DATE-01', ' \t2027-03-10   5PM\n', '2027-03-10 17:00:00'],
    ['DATE-01', '2027-03-10 12am', '2027-03-10 00:00:00'],
    ['DATE-01', '2027-03-10 12:30 pm', '2027-03-10 12:30:00'],
    ['DATE-01', '2027-03-10 noon', '2027-03-10 12:00:00'],
    ['DATE-01', '1000-01-02', '1000-01-02 00:00:00'],
    ['DATE-01', '2028-02-29 23:59:59', '2028-02-29 23:59:59'],
    ['DATE-05', '20270310T170000', '2027-03-10 17:00:00'],
    ['DATE-09', '10 March 2027 5pm', '2027-03-10 17:00:00'],
    ['DATE-09', 'March 10, 2027', '2027-03-10 00:00:00'],
    ['DATE-09', 'MAR 10, 2027 9:30 pm', '2027-03-10 21:30:00'],
    ['DATE-09', '10 Mar 2027', '2027-03-10 00:00:00'],
    ['DATE-09', '5 May 2027 midnight', '2027-05-05 00:00:00'],
    ['DATE-09', '9 Sept 2027', '2027-09-09 00:00:00'],
    ['DATE-09', '03/10/2027', '2027-03-10 00:00:00'],
    ['DATE-09', '03/10/2027 17:00', '2027-03-10 17:00:00'],
    ['DATE-09', '10-03-2027', '2027-03-10 00:00:00'],
    ['DATE-09', '10.03.2027 9am', '2027-03-10 09:00:00'],
    ['DATE-11', '2027-03-28 02:30', '2027-03-28 03:30:00'],
    ['DATE-11', '2027-10-31 02:30', '2027-10-31 02:30:00'],
  ])('%s: %j is wall time %s', (_case, value, wall) => {
    const read = parseDate(value, PARIS, now);
    expect(read).toMatchObject({ wall, isInstant: false });
    expect(toWall(read?.utc ?? '', PARIS)).toBe(wall);
  });

  it.each([
    ['DATE-11', '2027-10-31 02:30', '2027-10-31 00:30:00'],
    ['DATE-11', '2027-03-28 02:30', '2027-03-28 01:30:00'],
  ])('%s: %s in Paris is %s UTC', (_case, value, utc) => {
    expect(parseDate(value, PARIS, now)?.utc).toBe(utc);
  });

  it.each([
    ['DATE-02', '2027-03-10T10:00:00+02:00', '2027-03-10 08:00:00', '2027-03-10 09:00:00'],
    ['DATE-03', '2027-03-10T10:00:00Z', '2027-03-10 10:00:00', '2027-03-10 11:00:00'],
    ['DATE-03', '2027-03-10T10:00:00+0200', '2027-03-10 08:00:00', '2027-03-10 09:00:00'],
    ['DATE-03', '2027-03-10T10:00:00.000Z', '2027-03-10 10:00:00', '2027-03-10 11:00:00'],
    ['DATE-03', '2027-03-10T10:00:00.999999-0330', '2027-03-10 13:30:00', '2027-03-10 14:30:00'],
    ['DATE-03', '2027-03-10T10:00:00 02:00', '2027-03-10 08:00:00', '2027-03-10 09:00:00'],
    ['DATE-03', '2027-03-10 10:00:00 0200', '2027-03-10 08:00:00', '2027-03-10 09:00:00'],
    ['DATE-03', '2027-03-10 10:00Z', '2027-03-10 10:00:00', '2027-03-10 11:00:00'],
    ['DATE-03', '20270310T100000Z', '2027-03-10 10:00:00', '2027-03-10 11:00:00'],
    ['DATE-03', '20270310T100000-05:00', '2027-03-10 15:00:00', '2027-03-10 16:00:00'],
    ['DATE-03', '2027-10-31T02:30:00+01:00', '2027-10-31 01:30:00', '2027-10-31 02:30:00'],
    ['DATE-04', '@1804698000', '2027-03-10 17:00:00', '2027-03-10 18:00:00'],
    ['DATE-04', '1804698000', '2027-03-10 17:00:00', '2027-03-10 18:00:00'],
    ['DATE-04', 1_804_698_000, '2027-03-10 17:00:00', '2027-03-10 18:00:00'],
    ['DATE-04', 100_000_000, '1973-03-03 09:46:40', '1973-03-03 10:46:40'],
    ['DATE-04', '99999999999', '5138-11-16 09:46:39', '5138-11-16 10:46:39'],
    ['DATE-04', '@0', '1970-01-01 00:00:00', '1970-01-01 01:00:00'],
    ['DATE-04', '@-86400', '1969-12-31 00:00:00', '1969-12-31 01:00:00'],
  ])('%s: %j is the instant %s', (_case, value, utc, wall) => {
    expect(parseDate(value, PARIS, now)).toEqual({ utc, wall, isInstant: true });
  });

  it.each([
    ...['2027', '20270310', '0', '', '   ', '\0', '123456789012', '-1804698000', '@', '@-', '@1804698000.5'],
    ...[0, 2027, 20_270_310, -1_804_698_000, 1_804_698_000.5, 1e12, Number.NaN, Number.POSITIVE_INFINITY],
  ])('DATE-05: %j is rejected', (value) => {
    expect(parseDate(value, PARIS, now)).toBeUndefined();
  });

  it.each([
    ...['2027-02-30', '2027-02-29', '31/12/2027', '2027-13-01', '2027-00-10', '2027-03-00', '2027-03-10 25:00'],
    ...['2027-03-10 24:00:00', '2027-03-10 10:60', '2027-03-10 10:00:60', '25:00', '24:00:00', '12:00', '9am'],
    ...[
      '2027-03',
      'March 2027',
      'March',
      'before my birthday',
      'x',
      '0999-12-31',
      '0000-00-00 00:00:00',
      '10000-01-01',
    ],
    ...['2027-3-10', '2027-03/10', '10-03.2027', '2027-03-10T', '2027-03-10T9am', '2027-03-10 9', '2027-03-10 13pm'],
    ...[
      '2027-03-10 0am',
      '2027-03-10T10:00:00+24:00',
      '2027-03-10T10:00:00+01:60',
      '2027-03-10T10:00:00+1',
      '2027-03-10Z',
    ],
    ...['2027-03-10 5pm Z', '20270310T1700', '20270310 170000', '20270230T170000', '10 Foo 2027', '10th March 2027'],
    ...[
      'monday',
      'next',
      'next foo',
      'next day',
      'next monday 25:00',
      'next week 9am',
      'today 9',
      'now 9am',
      'noon 9am',
    ],
    ...[
      '1 fortnight',
      '1',
      '+1',
      'week',
      '1 week ago',
      '1 week2 days',
      '+ 1 week',
      '1.5 days',
      'today tomorrow',
      'constructor',
    ],
    ...[
      '+9999 years',
      '-2000 years',
      '+999999999 years',
      '-999999999 weeks',
      '+999999999 hours',
      '+9000 years -9000 years',
    ],
    ...[
      '-1977 years',
      '+4000000 days',
      '@999999999999',
      '@-99999999999',
      '२०२७-०३-१०',
      'null',
      'true',
      '[object Object]',
    ],
  ])('DATE-10: %j is rejected', (value) => {
    expect(parseDate(value, PARIS, now)).toBeUndefined();
  });

  it.each([
    ['DATE-10', '9999-12-31 23:00', 'UTC-5'],
    ['DATE-10', '9999-12-31T23:00:00-05:00', 'UTC'],
    ['DATE-10', '9999-12-31T23:00:00Z', 'UTC+2'],
    ['DATE-10', '1000-01-01', 'Asia/Tokyo'],
    ['DATE-10', '1000-01-01T00:00:00Z', NEW_YORK],
  ])('%s: %s in %s is rejected, outside the valid years in wall time or in UTC', (_case, value, zone) => {
    expect(parseDate(value, zone, now)).toBeUndefined();
  });

  it('rejects hostile input in linear time', async () => {
    for (const piece of ['9', ' ', '1 week ', '+1 day', '2027-03-10 ', '\0', 'a', '@', '2027-03-10T10:00:00.0']) {
      const text = piece.repeat(200_000);
      expect(parseDate(text, PARIS, now)).toBeUndefined();
      expect(parseDate(`${piece.repeat(120 / piece.length)}!`, PARIS, now)).toBeUndefined();
      expect(await growth(text, (part) => parseDate(part, PARIS, now))).toBeLessThan(MOST_GROWTH);
    }
  });

  it('spaces around a value do not count towards its length', () => {
    expect(parseDate(`${' '.repeat(1000)}2027-03-10`, PARIS, now)?.wall).toBe('2027-03-10 00:00:00');
  });
});

describe('isFixedDate', () => {
  it.each(['2026-11-20', ' 2026-11-20T10:00:00+01:00', '20 November 2026', '@0', '1804698000', 1804698000])(
    'returns true for an absolute date: %s',
    (value) => expect(isFixedDate(value)).toBe(true),
  );
  it.each(['now', 'Today', 'noon', 'next friday', '+1 week', 'tomorrow 10:00', 'never'])(
    'returns false for a date relative to now, or an invalid one: %s',
    (value) => expect(isFixedDate(value)).toBe(false),
  );
});

describe('parseDate: values relative to now', () => {
  it.each([
    ['DATE-06', 'now', '2027-01-15 09:39:20', '2027-07-16 10:39:20'],
    ['DATE-06', 'today', '2027-01-15 00:00:00', '2027-07-16 00:00:00'],
    ['DATE-06', 'Tomorrow 9AM', '2027-01-16 09:00:00', '2027-07-17 09:00:00'],
    ['DATE-06', 'tomorrow noon', '2027-01-16 12:00:00', '2027-07-17 12:00:00'],
    ['DATE-06', 'yesterday', '2027-01-14 00:00:00', '2027-07-15 00:00:00'],
    ['DATE-06', 'noon', '2027-01-15 12:00:00', '2027-07-16 12:00:00'],
    ['DATE-06', 'midnight', '2027-01-15 00:00:00', '2027-07-16 00:00:00'],
    ['DATE-06', '+1 week', '2027-01-22 09:39:20', '2027-07-23 10:39:20'],
    ['DATE-06', ' 1 week', '2027-01-22 09:39:20', '2027-07-23 10:39:20'],
    ['DATE-06', '-2 days', '2027-01-13 09:39:20', '2027-07-14 10:39:20'],
    ['DATE-06', '1 month', '2027-02-15 09:39:20', '2027-08-16 10:39:20'],
    ['DATE-06', '+3 months', '2027-04-15 09:39:20', '2027-10-16 10:39:20'],
    ['DATE-06', '+1 month -1 week +2 hours', '2027-02-08 11:39:20', '2027-08-09 12:39:20'],
    ['DATE-06', '1 year 1 day 40 seconds', '2028-01-16 09:40:00', '2028-07-17 10:40:00'],
    ['DATE-06', '90 minutes', '2027-01-15 11:09:20', '2027-07-16 12:09:20'],
    ['DATE-06', 'next monday 4pm', '2027-01-18 16:00:00', '2027-07-19 16:00:00'],
    ['DATE-06', 'next friday', '2027-01-22 00:00:00', '2027-07-23 00:00:00'],
    ['DATE-06', 'last friday', '2027-01-08 00:00:00', '2027-07-09 00:00:00'],
    ['DATE-06', 'last thursday 10:00', '2027-01-14 10:00:00', '2027-07-15 10:00:00'],
    ['DATE-06', 'next week', '2027-01-22 09:39:20', '2027-07-23 10:39:20'],
    ['DATE-06', 'last month', '2026-12-15 09:39:20', '2027-06-16 10:39:20'],
    ['DATE-06', 'next year', '2028-01-15 09:39:20', '2028-07-16 10:39:20'],
  ])('%s: %j in Paris', (_case, value, inJanuary, inJuly) => {
    expect(parseDate(value, PARIS, JANUARY)?.wall).toBe(inJanuary);
    expect(parseDate(value, PARIS, JULY)?.wall).toBe(inJuly);
  });

  it.each([
    ['DATE-07', 'tomorrow 9am', NEW_YORK, '2027-01-15 14:00:00', '2027-07-16 13:00:00'],
    ['DATE-07', 'next wednesday 4pm', NEW_YORK, '2027-01-20 21:00:00', '2027-07-21 20:00:00'],
    ['DATE-08', 'tomorrow 9am', 'Australia/Darwin', '2027-01-15 23:30:00', '2027-07-16 23:30:00'],
    ['DATE-08', 'tomorrow 9am', 'UTC', '2027-01-16 09:00:00', '2027-07-17 09:00:00'],
    ['DATE-08', 'tomorrow 9am', 'Asia/Hong_Kong', '2027-01-16 01:00:00', '2027-07-17 01:00:00'],
    ['DATE-08', 'tomorrow 9am', 'Europe/Rome', '2027-01-16 08:00:00', '2027-07-17 07:00:00'],
  ])('%s: %s in %s, at 03:39 UTC (the day before in New York)', (_case, value, zone, inJanuary, inJuly) => {
    expect(parseDate(value, zone, '2027-01-15 03:39:20')?.utc).toBe(inJanuary);
    expect(parseDate(value, zone, '2027-07-16 03:39:20')?.utc).toBe(inJuly);
  });

  it.each([
    ['month end', '+1 month', '2027-01-31 12:00:00', 'UTC', '2027-02-28 12:00:00'],
    ['leap day', '-1 year', '2028-02-29 12:00:00', 'UTC', '2027-02-28 12:00:00'],
    ['a day into the gap', '+1 day', '2027-03-27 01:30:00', PARIS, '2027-03-28 01:30:00'],
    ['days over the gap keep the time of day', '+2 days', '2027-03-27 01:30:00', PARIS, '2027-03-29 00:30:00'],
    ['hours over the gap pass as they are', '+24 hours', '2027-03-27 12:00:00', PARIS, '2027-03-28 12:00:00'],
    ['now in the second hour of an overlap', 'now', '2027-10-31 01:30:00', PARIS, '2027-10-31 01:30:00'],
    ['nothing added there', '+0 days', '2027-10-31 01:30:00', PARIS, '2027-10-31 01:30:00'],
    ['an hour into it', '+1 hour', '2027-10-31 00:30:00', PARIS, '2027-10-31 01:30:00'],
    ['a day into it', '+1 day', '2027-10-30 00:30:00', PARIS, '2027-10-31 00:30:00'],
    ['midnight skipped', 'tomorrow', '2018-11-03 12:00:00', 'America/Sao_Paulo', '2018-11-04 03:00:00'],
    ['the day skipped', 'tomorrow 3pm', '2011-12-30 00:00:00', 'Pacific/Apia', '2011-12-31 01:00:00'],
  ])('DATE-06: %s (%s at %s in %s)', (_case, value, now, zone, utc) => {
    expect(parseDate(value, zone, now)).toMatchObject({ utc, wall: toWall(utc, zone) });
  });
});
