import { toUtc } from '../../kernel/time/calendar-time.js';
import { EN } from '../words.en.js';
import { formatsOf } from './formats.js';
import { type EventTimes, firstDayOf, fullTimes, lastDayOf, listTime, machineTime } from './when.js';

const GB = formatsOf('en', 'GB');
const WORDS = {
  allDay: EN.allDay,
  nextDay: EN.nextDay,
  until: (date: string) => `until ${date}`,
  since: (date: string) => `since ${date}`,
  dayOfDays: (day: number, days: number) => `day ${day} of ${days}`,
};
const PARIS = 'Europe/Paris';

/** An event by its wall times. */
function times(start: string, end: string, timezone = PARIS, utc?: readonly [string, string]): EventTimes {
  const isAllDay = start.length === 10;
  const [start_date, end_date] = isAllDay ? [`${start} 00:00:00`, `${end} 23:59:59`] : [`${start}:00`, `${end}:00`];
  const [from, to] = utc ?? [toUtc(start_date, timezone), toUtc(end_date, timezone)];
  return { start_date, end_date, utc_start_date: from, utc_end_date: to, timezone, all_day: isAllDay };
}

/** ICU's commas differ between versions of Node. */
const plain = (text: string | undefined) => text?.replaceAll(',', '');

describe('lastDayOf: the wall date of the end, a night with its evening (pages P3.2)', () => {
  test.each([
    ['2026-12-11 19:30', '2026-12-11 22:00', '2026-12-11'],
    ['2026-12-11 19:30', '2026-12-12 01:00', '2026-12-11'],
    ['2026-12-11 19:30', '2026-12-12 04:59', '2026-12-11'],
    ['2026-12-11 19:30', '2026-12-12 05:00', '2026-12-12'],
    ['2026-12-11 19:30', '2026-12-12 00:00', '2026-12-11'],
    ['2026-12-11 19:30', '2026-12-13 00:00', '2026-12-12'],
    ['2026-12-11 19:30', '2026-12-13 01:00', '2026-12-13'],
    ['2026-12-11 00:00', '2026-12-11 00:00', '2026-12-11'],
    ['2026-12-31 23:00', '2027-01-01 02:00', '2026-12-31'],
    ['2026-12-11', '2026-12-11', '2026-12-11'],
    ['2026-12-11', '2026-12-13', '2026-12-13'],
  ])('%s to %s: %s', (start, end, last) => {
    expect([firstDayOf(times(start, end)), lastDayOf(times(start, end))]).toEqual([start.slice(0, 10), last]);
  });
});

describe('listTime: what lists show (pages P3)', () => {
  const shown = (event: EventTimes, at: Partial<Parameters<typeof listTime>[3]> = {}, formats = GB) =>
    listTime(event, formats, WORDS, { siteZone: PARIS, ...at });

  test.each<[string, EventTimes, string]>([
    ['two times', times('2026-12-11 19:30', '2026-12-11 22:00'), '19:30–22:00'],
    ['a night', times('2026-12-11 19:30', '2026-12-12 01:00'), '19:30–01:00'],
    ['no duration', times('2026-12-11 19:30', '2026-12-11 19:30'), '19:30'],
    ['early hours with a leading zero', times('2026-12-11 00:05', '2026-12-11 09:00'), '00:05–09:00'],
    ['a whole day', times('2026-12-11', '2026-12-11'), 'All day'],
    ['whole days', times('2026-11-23', '2026-11-27'), 'until Fri 27 Nov'],
    ['whole days into the next year', times('2026-12-30', '2027-01-02'), 'until Sat 2 Jan 2027'],
    ['days with times', times('2026-11-23 10:00', '2026-11-27 18:00'), '10:00 until Fri 27 Nov 18:00'],
    ['the end of summer time', times('2026-10-25 01:00', '2026-10-25 05:00'), '01:00 CEST–05:00 CET'],
    ['the beginning of summer time', times('2026-03-29 01:00', '2026-03-29 04:00'), '01:00 CET–04:00 CEST'],
    [
      'the second of two equal hours',
      times('2026-10-25 02:30', '2026-10-25 02:45', PARIS, ['2026-10-25 01:30:00', '2026-10-25 01:45:00']),
      '02:30 CET–02:45 CET',
    ],
    [
      'from the first to the second of two equal hours',
      times('2026-10-25 02:30', '2026-10-25 02:30', PARIS, ['2026-10-25 00:30:00', '2026-10-25 01:30:00']),
      '02:30 CEST–02:30 CET',
    ],
    [
      'a zone whose clocks move by half an hour',
      times('2027-04-04 01:45', '2027-04-04 03:00', 'Australia/Lord_Howe'),
      '01:45 +11–03:00 +1030',
    ],
  ])('%s', (_, event, text) => {
    expect(plain(shown(event).text)).toBe(text);
  });

  test('a running event tells since when and until when; a day, which of its days it is', () => {
    const event = times('2026-11-20 10:00', '2026-11-27 18:00');
    expect(plain(shown(event, { isRunning: true }).text)).toBe('since 20 Nov until 27 Nov');
    const night = times('2026-11-20 23:00', '2026-11-21 02:00');
    expect(plain(shown(night, { isRunning: true }).text)).toBe('20 Nov 23:00–02:00');
    expect(shown(times('2026-11-20', '2026-11-20'), { isRunning: true }).text).toBe('20 Nov');
    expect(shown(event, { onDay: '2026-11-21' }).text).toBe('day 2 of 8');
    expect(shown(times('2026-11-20 10:00', '2026-11-20 18:00'), { onDay: '2026-11-20' }).text).toBe('10:00–18:00');
    expect(plain(shown(event, { withYears: true }).text)).toBe('10:00 until Fri 27 Nov 2026 18:00');
  });

  test('the zone stands there only where its offset differs from that of the site', () => {
    const at = (zone: string, siteZone = PARIS) =>
      shown(times('2026-12-11 10:00', '2026-12-11 11:00', zone), { siteZone }).zone;
    expect(at('Europe/Berlin')).toBeUndefined();
    expect(at('America/New_York')).toEqual({ abbreviation: 'EST', name: 'America/New_York' });
    expect(at('UTC+5:30')).toEqual({ abbreviation: 'UTC+5:30', name: 'UTC+5:30' });
    expect(at('UTC+1')).toBeUndefined();
    expect(at('UTC', 'Europe/London')).toBeUndefined();
    expect(shown(times('2026-12-11', '2026-12-11', 'Asia/Tokyo')).zone).toBeUndefined();
  });

  test('12 hours where the country has them', () => {
    const event = times('2026-12-11 19:30', '2026-12-12 00:30');
    expect(shown(event, {}, formatsOf('en', 'US')).text).toBe('7:30 PM–12:30 AM');
    expect(shown(event, {}, formatsOf('de', 'DE')).text).toBe('19:30–00:30');
    expect(shown(event, {}, formatsOf('fr', 'FR')).text).toBe('19:30–00:30');
  });
});

test('machineTime: a day of an all-day event, else the wall time with its offset (pages P3.7)', () => {
  expect(machineTime(times('2026-12-11', '2026-12-12'), 'end')).toBe('2026-12-12');
  expect(machineTime(times('2026-12-11 19:30', '2026-12-11 20:00'))).toBe('2026-12-11T19:30:00+01:00');
  expect(machineTime(times('2026-12-11 19:30', '2026-12-11 20:00', 'UTC+5:30'), 'end')).toBe(
    '2026-12-11T20:00:00+05:30',
  );
});

describe('fullTimes: what the page of an event shows (pages P3)', () => {
  const full = (event: EventTimes) => {
    const { days, until, ...others } = fullTimes(event, GB);
    return { days: plain(days), ...(until === undefined ? {} : { until: plain(until) }), ...others };
  };

  test.each<[EventTimes, object]>([
    [
      times('2026-12-11 19:30', '2026-12-12 01:00'),
      { days: 'Friday 11 December 2026', hours: '19:30–01:00', endsNextDay: true, zone: 'Central European Time (CET)' },
    ],
    [
      times('2026-12-11 19:30', '2026-12-12 00:00'),
      { days: 'Friday 11 December 2026', hours: '19:30–00:00', endsNextDay: true, zone: 'Central European Time (CET)' },
    ],
    [times('2026-12-11', '2026-12-11'), { days: 'Friday 11 December 2026', endsNextDay: false }],
    [
      times('2026-12-11 19:30', '2026-12-13 16:00'),
      {
        days: 'Friday 11 December 2026 19:30',
        until: 'Sunday 13 December 2026 16:00',
        endsNextDay: false,
        zone: 'Central European Time (CET)',
      },
    ],
    [
      times('2026-12-11 19:30', '2026-12-11 19:30', 'UTC+5:30'),
      { days: 'Friday 11 December 2026', hours: '19:30', endsNextDay: false, zone: 'UTC+5:30' },
    ],
  ])('%j', (event, expected) => {
    expect(full(event)).toEqual(expected);
  });

  test('all-day days are a range', () => {
    // Versions of ICU differ in whether they repeat the month.
    const range = (first: string, last: string) => plain(fullTimes(times(first, last), GB).days);
    expect(range('2026-11-23', '2026-11-27')).toMatch(/^Monday 23( November)? – Friday 27 November 2026$/);
    // Summer time ends on 25 October: the days stay whole.
    expect(range('2026-10-24', '2026-10-26')).toMatch(/^Saturday 24( October)? – Monday 26 October 2026$/);
  });
});
