import { isWallTimeInRange } from './calendar-time.js';
import { parseBound } from './date-input.js';
import { dateWindow, type Bound, type DateParam } from './date-window.js';

const NOVEMBER = '2026-11-20 08:39:00';
const JANUARY = '2027-01-15 08:39:00';
const JULY = '2027-07-16 08:39:00';
const NEW_YORK = 'America/New_York';

type Dates = Partial<Record<DateParam, string>>;
type Options = Partial<{ zone: string; now: string; strict: boolean; ignoreDates: boolean }>;

function windowOf(dates: Dates, { zone = 'UTC', now = NOVEMBER, strict = false, ignoreDates = false }: Options = {}) {
  const given = Object.fromEntries(
    Object.entries(dates).map(([param, text]) => {
      const read = parseBound(text, zone, now);
      if (!read) throw new Error(`${param} is refused: ${text}`);
      return [param, read];
    }),
  );
  const { start, end, effective } = dateWindow(given, {
    strict,
    ignoreDates,
    siteZone: zone,
    nowUtc: now,
    pastDays: 1,
  });
  return { start: start.map(written), end: end.map(written), effective };
}

function written({ op, utc }: Bound): string {
  return `${op} ${utc}`;
}

describe('dateWindow: the default window', () => {
  it('EV-LIST-08: extends from yesterday to the day 24 months ahead', () => {
    expect(windowOf({})).toEqual({
      start: ['>= 2026-11-19 00:00:00'],
      end: ['< 2028-11-21 00:00:00'],
      effective: { start_date: '2026-11-19 00:00:00', end_date: '2028-11-20 23:59:59' },
    });
  });

  it.each([
    ['EV-LIST-09', 'Asia/Tokyo', '2026-11-20 20:00:00', '2026-11-19 15:00:00', '2028-11-21 15:00:00', '2026-11-20'],
    ['EV-LIST-08', NEW_YORK, JANUARY, '2027-01-14 05:00:00', '2029-01-16 05:00:00', '2027-01-14'],
    ['EV-LIST-08', NEW_YORK, JULY, '2027-07-15 04:00:00', '2029-07-17 04:00:00', '2027-07-15'],
    ['EV-LIST-08 leap day', 'UTC', '2028-02-29 12:00:00', '2028-02-28 00:00:00', '2030-03-01 00:00:00', '2028-02-28'],
  ])('%s: the window has whole days of %s at %s', (_, zone, now, first, next, day) => {
    for (const strict of [false, true]) {
      const window = windowOf({}, { zone, now, strict });
      expect(window).toMatchObject({ start: [`>= ${first}`], end: [`< ${next}`] });
      expect(window.effective.start_date).toBe(`${day} 00:00:00`);
      expect(window.effective.end_date).toMatch(/ 23:59:59$/);
    }
  });

  it('EV-LIST-10: a given start_date or end_date replaces its own default only', () => {
    expect(windowOf({ start_date: '2000-01-01' })).toEqual({
      start: ['>= 2000-01-01 00:00:00'],
      end: ['< 2028-11-21 00:00:00'],
      effective: { start_date: '2000-01-01 00:00:00', end_date: '2028-11-20 23:59:59' },
    });
    expect(windowOf({ end_date: '2000-01-01' })).toEqual({
      start: ['>= 2026-11-19 00:00:00'],
      end: ['< 2000-01-02 00:00:00'],
      effective: { start_date: '2026-11-19 00:00:00', end_date: '2000-01-01 23:59:59' },
    });
  });

  it.each<[DateParam, string]>([
    ['starts_before', 'start'],
    ['starts_after', 'start'],
    ['ends_before', 'end'],
    ['ends_after', 'end'],
  ])('EV-LIST-12: %s drops both defaults', (param, side) => {
    const window = windowOf({ [param]: '2026-12-01' });
    expect(window.effective).toEqual({ [param]: '2026-12-01 23:59:59' });
    expect(window[side === 'start' ? 'end' : 'start']).toEqual([]);
  });

  it('EV-LIST-31: include ignores all dates, but the effective dates show the given ones', () => {
    expect(windowOf({}, { ignoreDates: true })).toEqual({ start: [], end: [], effective: {} });
    const window = windowOf({ starts_after: '2026-12-01' }, { ignoreDates: true });
    expect(window).toEqual({ start: [], end: [], effective: { starts_after: '2026-12-01 23:59:59' } });
  });
});

describe('dateWindow: given dates', () => {
  it.each([
    ['EV-LIST-11', { start_date: '2026-12-01 15:00' }, false, 'start', '>= 2026-12-01 00:00:00'],
    ['EV-LIST-11', { end_date: '2026-12-01 15:00' }, false, 'end', '< 2026-12-02 00:00:00'],
    ['EV-LIST-12', { starts_after: '2026-12-01 15:00' }, false, 'start', '>= 2026-12-02 00:00:00'],
    ['EV-LIST-12', { starts_before: '2026-12-01 15:00' }, false, 'start', '< 2026-12-02 00:00:00'],
    ['EV-LIST-13', { ends_after: '2026-12-01 15:00' }, false, 'end', '>= 2026-12-02 00:00:00'],
    ['EV-LIST-13', { ends_before: '2026-12-01 15:00' }, false, 'end', '< 2026-12-02 00:00:00'],
    ['EV-LIST-15', { start_date: '2026-12-01 15:00' }, true, 'start', '>= 2026-12-01 15:00:00'],
    ['EV-LIST-15', { end_date: '2026-12-01 15:00' }, true, 'end', '<= 2026-12-01 15:00:00'],
    ['EV-LIST-15', { starts_after: '2026-12-01 15:00' }, true, 'start', '> 2026-12-01 15:00:00'],
    ['EV-LIST-15', { starts_before: '2026-12-01 15:00' }, true, 'start', '< 2026-12-01 15:00:00'],
    ['EV-LIST-15', { ends_after: '2026-12-01 15:00' }, true, 'end', '> 2026-12-01 15:00:00'],
    ['EV-LIST-15', { ends_before: '2026-12-01 15:00' }, true, 'end', '< 2026-12-01 15:00:00'],
  ] as const)('%s: %j, strict %j', (_, dates, strict, side, bound) => {
    for (const now of [JANUARY, JULY]) {
      expect(windowOf(dates, { strict, now })[side]).toEqual([bound]);
    }
  });

  it('EV-LIST-14: starts_before and start_date both apply', () => {
    const window = windowOf({ starts_before: '2026-12-31', start_date: '2026-12-01' });
    expect(window.start).toEqual(['>= 2026-12-01 00:00:00', '< 2027-01-01 00:00:00']);
    expect(window.end).toEqual([]);
  });

  it('effective dates are in the order of the parameter table', () => {
    const order: DateParam[] = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
    const dates = Object.fromEntries([...order].reverse().map((param) => [param, '2026-12-01']));
    expect(Object.keys(windowOf(dates).effective)).toEqual(order);
  });

  it.each([
    ['EV-LIST-16', '2027-07-01 02:30', '>= 2027-07-01 06:30:00', '2027-07-01 02:30:00'],
    ['EV-LIST-16 gap', '2027-03-14 02:30', '>= 2027-03-14 07:30:00', '2027-03-14 03:30:00'],
    ['EV-LIST-16', '2027-07-01T02:30:00Z', '>= 2027-07-01 02:30:00', '2027-06-30 22:30:00'],
    ['EV-LIST-16 first hour', '2027-11-07T05:30:00Z', '>= 2027-11-07 05:30:00', '2027-11-07 01:30:00'],
    ['EV-LIST-16 second hour', '2027-11-07T06:30:00Z', '>= 2027-11-07 06:30:00', '2027-11-07 01:30:00-05:00'],
  ])('%s: strict start_date=%s in New York', (_, value, bound, shown) => {
    const window = windowOf({ start_date: value }, { zone: NEW_YORK, strict: true });
    expect(window.start).toEqual([bound]);
    expect(window.effective.start_date).toBe(shown);
  });

  it('EV-LIST-17: an instant counts as its day in the site zone', () => {
    const window = windowOf({ starts_before: '2026-12-02T01:00:00+09:00' });
    expect(window.start).toEqual(['< 2026-12-02 00:00:00']);
    expect(window.effective.starts_before).toBe('2026-12-01 23:59:59');
  });
});

describe('dateWindow: days with a clock change', () => {
  const SAO_PAULO = 'America/Sao_Paulo';
  it.each([
    ['no midnight', SAO_PAULO, '2018-11-04', '2018-11-04 03:00:00', '2018-11-05 02:00:00', '04 01:00:00'],
    ['eve of it', SAO_PAULO, '2018-11-03', '2018-11-03 03:00:00', '2018-11-04 03:00:00', '03 00:00:00'],
    ['no midnight', 'Asia/Beirut', '2027-03-28', '2027-03-27 22:00:00', '2027-03-28 21:00:00', '28 01:00:00'],
    ['no 23:30', 'America/Toronto', '1919-03-30', '1919-03-30 05:00:00', '1919-03-31 04:30:00', '30 00:00:00'],
    ['23:00 twice', SAO_PAULO, '2018-02-17', '2018-02-17 02:00:00', '2018-02-18 03:00:00', '17 00:00:00'],
    ['eve of no day', 'Pacific/Apia', '2011-12-29', '2011-12-29 10:00:00', '2011-12-30 10:00:00', '29 00:00:00'],
    ['no day, the next', 'Pacific/Apia', '2011-12-30', '2011-12-30 10:00:00', '2011-12-31 10:00:00', '31 00:00:00'],
  ])('%s (%s %s)', (_, zone, day, first, next, shown) => {
    const window = windowOf({ start_date: day, end_date: day }, { zone });
    expect(window).toMatchObject({ start: [`>= ${first}`], end: [`< ${next}`] });
    expect(window.effective.start_date).toBe(`${day.slice(0, 8)}${shown}`);
    expect(windowOf(window.effective, { zone })).toEqual(window);
  });

  it('EV-LIST-08: a default day whose last hour occurs twice ends at the second occurrence', () => {
    const options = { zone: SAO_PAULO, now: '2016-02-17 12:00:00', strict: true };
    const window = windowOf({}, options);
    expect(window.end).toEqual(['< 2018-02-18 03:00:00']);
    expect(window.effective.end_date).toBe('2018-02-17 23:59:59-03:00');
    expect(windowOf(window.effective, options).end).toEqual(['<= 2018-02-18 02:59:59']);
  });
});

describe('EV-LIST-44: bounds from the year 0 on', () => {
  const EARLY = [
    '0000-01-01',
    '0999-12-31 23:59:59',
    '0000-02-29T00:00:00Z',
    '31.12.0999',
    '-2000 years',
    '@-62167219200',
  ];
  const LATE = [
    '9999-12-31T23:59:59-12:00',
    '+9000 years',
    '@999999999999',
    '+9000 years -9000 years',
    '9999-12-31 23:59:59',
  ];
  const ZONES = ['UTC', NEW_YORK, 'Asia/Tokyo', 'Europe/Paris', 'UTC-12', 'UTC+14'];
  const [FIRST, LAST] = ['1000-01-01 00:00:00', '9999-12-31 23:59:59'];

  describe.each(ZONES)('in %s', (zone) => {
    it.each([true, false])('are clamped to the years 1000 to 9999, also in links; strict: %s', (strict) => {
      for (const value of EARLY) {
        const { start, effective } = windowOf({ start_date: value, starts_before: value }, { zone, strict });
        expect(start[0]).toBe(`>= ${FIRST}`);
        expect(effective.start_date).toBe(FIRST);
        expect(effective.starts_before).toBe(FIRST);
        if (strict) expect(start[1]).toBe(`< ${FIRST}`);
      }
      for (const value of LATE) {
        const dates = { starts_after: value, end_date: value, ends_after: value };
        const { start, end, effective } = windowOf(dates, { zone, strict });
        expect([start, end]).toEqual([[`> ${LAST}`], [`<= ${LAST}`, `> ${LAST}`]]);
        expect(effective).toEqual({ starts_after: LAST, end_date: LAST, ends_after: LAST });
      }
    });

    it.each([true, false])('links give the same window; strict: %s', (strict) => {
      for (const value of [...EARLY, ...LATE, '1000-01-01', '1000-01-02', '9999-12-30', '9999-12-31']) {
        const dates = {
          start_date: value,
          end_date: value,
          starts_before: value,
          starts_after: value,
          ends_before: value,
          ends_after: value,
        };
        const window = windowOf(dates, { zone, strict });
        expect(windowOf(window.effective, { zone, strict })).toEqual(window);
      }
    });

    it('include the whole first and last day', () => {
      expect(windowOf({ start_date: '1000-01-01', end_date: '9999-12-31' }, { zone })).toEqual({
        start: [`>= ${FIRST}`],
        end: [`<= ${LAST}`],
        effective: { start_date: FIRST, end_date: LAST },
      });
    });
  });

  it.each([
    '0000-00-00',
    '0000-00-00 00:00:00',
    '0000-02-30',
    '10000-01-01',
    '999-01-01',
    '-0001-01-01',
    '@-99999999999',
  ])('rejects %s', (value) => {
    expect(parseBound(value, 'UTC', NOVEMBER)).toBeUndefined();
  });

  it.each(['-5000 years', '-999999999 years', '+999999999 years', '+999999999 weeks', '-999999999 hours'])(
    'parses %s without an exception in any zone',
    (value) => {
      for (const zone of ZONES) expect(() => parseBound(value, zone, NOVEMBER)).not.toThrow();
    },
  );
});

describe('dateWindow: following a link', () => {
  it('an instant whose offset has seconds is shown in UTC', () => {
    const options = { zone: 'Africa/Monrovia', strict: true };
    const window = windowOf({ starts_after: '1919-03-01T00:43:30Z' }, options);
    expect(window.effective.starts_after).toBe('1919-03-01 00:43:30Z');
    expect(windowOf(window.effective, options)).toEqual(window);
  });

  it.each([NEW_YORK, 'Asia/Tokyo', 'UTC-5', 'UTC+14', 'Africa/Monrovia'])('gives the same window in %s', (zone) => {
    for (const strict of [false, true]) {
      for (const value of [
        '2027-11-07T05:30:00Z',
        '2027-11-07T06:30:00Z',
        '1919-03-31',
        '1919-03-01T00:43:30Z',
        '5000-07-01',
      ]) {
        const dates = { start_date: value, starts_after: value, ends_before: value };
        const window = windowOf(dates, { zone, strict });
        expect(windowOf(window.effective, { zone, strict })).toEqual(window);
      }
    }
  });

  it.each([
    ['UTC-5', '9999-12-31 12:00', '> 9999-12-31 23:59:59', '<= 9999-12-31 23:59:59'],
    ['UTC+5', '1000-01-01 06:00', '>= 1000-01-01 19:00:00', '< 1000-01-01 19:00:00'],
    ['UTC-5', '1000-01-01', '>= 1000-01-02 05:00:00', '< 1000-01-02 05:00:00'],
    ['UTC+5', '9999-12-31', '> 9999-12-31 23:59:59', '<= 9999-12-31 23:59:59'],
  ])('bounds stay within the years that databases compare (%s, %s)', (zone, value, after, before) => {
    const dates = { start_date: value, starts_after: value, starts_before: value };
    const window = windowOf(dates, { zone });
    expect(window.start.slice(1).sort()).toEqual([before, after].sort());
    expect(window.start.every((bound) => isWallTimeInRange(bound.split(' ').slice(1).join(' ')))).toBe(true);
    expect(windowOf(window.effective, { zone })).toEqual(window);
  });
});
