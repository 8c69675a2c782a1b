import { toWall } from './calendar-time.js';
import { parseDate } from './date-input.js';

// Both are Fridays.
const JANUARY = '2027-01-15 08:39:20';
const JULY = '2027-07-16 08:39:20';
const PARIS = 'Europe/Paris';
const NEW_YORK = 'America/New_York';

describe('parseDate: values as of now', () => {
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
