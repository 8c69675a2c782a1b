import type { TestApp } from '../support/app.js';
import { expectRefused, useApp } from '../support/events.js';
import { E, event } from '../support/factories.js';

/** Words and relative forms depend on now, and some faults show only in summer time or only in winter time. */
const MOMENTS = [
  ['in winter', '2026-01-15T08:39:00Z', 0],
  ['in summer', '2026-07-15T08:39:00Z', 1],
] as const;

/** Creates an event with this start and a far later end. Returns its start in its zone and in UTC. */
async function start({ client, tokens }: TestApp, start_date: unknown, timezone?: string): Promise<[string, string]> {
  const made = await event(client, tokens.adm, { start_date, end_date: '9000-01-01', timezone });
  return [made.start_date, made.utc_start_date];
}

/** Sends an event that must be rejected with these codes. Returns the response. */
async function expectRefusal({ client, tokens }: TestApp, fields: object, details: Record<string, string>) {
  const reply = await client.post('/events', { ...E, end_date: '9000-01-01', ...fields }, tokens.adm);
  expectRefused(reply, details);
  return reply;
}

describe.each(MOMENTS)('POST /events: dates %s', (_, now, season) => {
  const app = useApp();
  const newYork = useApp({ SITE_TIMEZONE: 'America/New_York' });
  const darwin = useApp({ SITE_TIMEZONE: 'Australia/Darwin' });

  beforeEach(() => [app(), newYork(), darwin()].forEach((service) => service.setNow(now)));

  test('DATE-01: reads ISO forms as wall time of the event', async () => {
    const cases = [
      ['2027-03-10', '2027-03-10 00:00:00'],
      ['2027-03-10 10:00', '2027-03-10 10:00:00'],
      ['2027-03-10 10:00:30', '2027-03-10 10:00:30'],
      ['2027-03-10T10:00', '2027-03-10 10:00:00'],
      ['2027-03-10t10:00:30', '2027-03-10 10:00:30'],
      ['2027/03/10', '2027-03-10 00:00:00'],
      ['2027/03/10 17:00', '2027-03-10 17:00:00'],
      ['2027-03-10 9am', '2027-03-10 09:00:00'],
      ['2027-03-10 9:30 PM', '2027-03-10 21:30:00'],
      ['2027-03-10 12am', '2027-03-10 00:00:00'],
      ['2027-03-10 12pm', '2027-03-10 12:00:00'],
      ['2027-03-10 noon', '2027-03-10 12:00:00'],
      ['2027-03-10 midnight', '2027-03-10 00:00:00'],
      ['  2027-03-10   10:00 ', '2027-03-10 10:00:00'],
      ['2028-02-29 23:59:59', '2028-02-29 23:59:59'],
      ['1000-01-01', '1000-01-01 00:00:00'],
    ] as const;
    for (const [sent, shown] of cases) expect([sent, await start(app(), sent)]).toEqual([sent, [shown, shown]]);
    expect(await start(app(), '2027-03-10 10:00', 'Europe/Paris')).toEqual([
      '2027-03-10 10:00:00',
      '2027-03-10 09:00:00',
    ]);
    expect(await start(app(), '2027-07-10 10:00', 'Europe/Paris')).toEqual([
      '2027-07-10 10:00:00',
      '2027-07-10 08:00:00',
    ]);
  });

  test('DATE-02: an offset makes an instant, shown in the zone of the event', async () => {
    expect(await start(app(), '2027-03-10T10:00:00+02:00', 'Europe/Paris')).toEqual([
      '2027-03-10 09:00:00',
      '2027-03-10 08:00:00',
    ]);
    expect(await start(newYork(), '2027-03-10T10:00:00+02:00')).toEqual(['2027-03-10 03:00:00', '2027-03-10 08:00:00']);
    expect(await start(app(), '2027-03-10T01:00:00+02:00')).toEqual(['2027-03-09 23:00:00', '2027-03-09 23:00:00']);
  });

  test('DATE-03: accepts every form of a UTC offset', async () => {
    const cases = [
      ['2027-03-10T10:00:00Z', '2027-03-10 10:00:00'],
      ['2027-03-10T10:00:00z', '2027-03-10 10:00:00'],
      ['2027-03-10T10:00Z', '2027-03-10 10:00:00'],
      ['2027-03-10T10:00:00+0200', '2027-03-10 08:00:00'],
      ['2027-03-10 10:00:00-05:30', '2027-03-10 15:30:00'],
      ['2027-03-10T10:00:00.000Z', '2027-03-10 10:00:00'],
      ['2027-03-10T10:00:00.999+01:00', '2027-03-10 09:00:00'],
      // An unencoded plus arrives as a blank.
      ['2027-03-10T10:00:00 02:00', '2027-03-10 08:00:00'],
    ] as const;
    for (const [sent, utc] of cases) expect([sent, (await start(newYork(), sent))[1]]).toEqual([sent, utc]);
  });

  test('DATE-04: accepts Unix timestamps', async () => {
    for (const stamp of ['@1804698000', '1804698000', 1804698000, ' 1804698000 ']) {
      expect(await start(app(), stamp, 'Europe/Paris')).toEqual(['2027-03-10 18:00:00', '2027-03-10 17:00:00']);
    }
    expect(await start(app(), '@-86400')).toEqual(['1969-12-31 00:00:00', '1969-12-31 00:00:00']);
    expect(await start(app(), '@0')).toEqual(['1970-01-01 00:00:00', '1970-01-01 00:00:00']);
    expect(await start(app(), '999999999')).toEqual(['2001-09-09 01:46:39', '2001-09-09 01:46:39']);
    expect(await start(app(), 99999999999)).toEqual(['5138-11-16 09:46:39', '5138-11-16 09:46:39']);
  });

  test('DATE-05: rejects digits that are no timestamp, and accepts the compact ISO form', async () => {
    for (const start_date of [
      '2027',
      '20270310',
      '0',
      '12345678',
      '123456789012',
      2027,
      0,
      123456789012,
      1804698000.5,
    ]) {
      await expectRefusal(app(), { start_date }, { start_date: 'rest_invalid_date' });
    }
    await expectRefusal(app(), { start_date: '' }, { start_date: 'rest_empty' });
    expect(await start(newYork(), '20270310T170000')).toEqual(['2027-03-10 17:00:00', '2027-03-10 22:00:00']);
    expect(await start(newYork(), '20270310t170000z')).toEqual(['2027-03-10 12:00:00', '2027-03-10 17:00:00']);
    expect(await start(newYork(), '20270310T170000+0100')).toEqual(['2027-03-10 11:00:00', '2027-03-10 16:00:00']);
    await expectRefusal(app(), { start_date: '20270230T170000' }, { start_date: 'rest_invalid_date' });
  });

  test('DATE-06: reads words and relative forms in the zone of the event', async () => {
    // Now is 09:39 of Thursday 15 January, or 10:39 of Wednesday 15 July, in Paris.
    const clock = ['09:39:00', '10:39:00'][season];
    const month = ['2026-01', '2026-07'][season];
    const cases: [sent: string, shown: string][] = [
      ['now', `${month}-15 ${clock}`],
      ['NOW', `${month}-15 ${clock}`],
      ['today', `${month}-15 00:00:00`],
      ['today 17:00', `${month}-15 17:00:00`],
      ['tomorrow 9am', `${month}-16 09:00:00`],
      [' Tomorrow  9:30 PM ', `${month}-16 21:30:00`],
      ['tomorrow noon', `${month}-16 12:00:00`],
      ['yesterday', `${month}-14 00:00:00`],
      ['yesterday 23:59:59', `${month}-14 23:59:59`],
      ['noon', `${month}-15 12:00:00`],
      ['midnight', `${month}-15 00:00:00`],
      ['+1 week', `${month}-22 ${clock}`],
      ['1 week', `${month}-22 ${clock}`],
      ['-2 days', `${month}-13 ${clock}`],
      ['+1 day 2 hours', `${month}-16 ${['11:39:00', '12:39:00'][season]}`],
      ['1 week -1 day', `${month}-21 ${clock}`],
      ['-90 minutes', `${month}-15 ${['08:09:00', '09:09:00'][season]}`],
      ['+30 seconds', `${month}-15 ${clock?.slice(0, 6)}30`],
      ['+1 month', `${['2026-02', '2026-08'][season]}-15 ${clock}`],
      ['-1 year', `${['2025-01', '2025-07'][season]}-15 ${clock}`],
      ['next week', `${month}-22 ${clock}`],
      ['last week', `${month}-08 ${clock}`],
      ['last month', `${['2025-12', '2026-06'][season]}-15 ${clock}`],
      ['next year', `${['2027-01', '2027-07'][season]}-15 ${clock}`],
      ['next monday 4pm', `${month}-${['19', '20'][season]} 16:00:00`],
      ['last friday', `${month}-${['09', '10'][season]} 00:00:00`],
      // The weekday of today means a week later or earlier.
      [['next thursday', 'next wednesday'][season] ?? '', `${month}-22 00:00:00`],
      [['last thursday', 'last wednesday'][season] ?? '', `${month}-08 00:00:00`],
    ];
    for (const [sent, shown] of cases) {
      const utc = new Date(Date.parse(`${shown.replace(' ', 'T')}Z`) - (season + 1) * 3_600_000);
      const expected = [shown, utc.toISOString().slice(0, 19).replace('T', ' ')];
      expect([sent, await start(app(), sent, 'Europe/Paris')]).toEqual([sent, expected]);
    }
    // TIME has two digits before the colon, unless am or pm follow.
    await expectRefusal(app(), { start_date: 'next sunday 8:15' }, { start_date: 'rest_invalid_date' });
  });

  test('DATE-07: reads words in the zone of a site in New York', async () => {
    const { client, tokens } = newYork();
    const made = await event(client, tokens.adm, { start_date: 'tomorrow 9am', end_date: 'tomorrow 11am' });
    const day = ['2026-01-16', '2026-07-16'][season];
    expect(made).toMatchObject({
      timezone: 'America/New_York',
      timezone_abbr: ['EST', 'EDT'][season],
      start_date: `${day} 09:00:00`,
      end_date: `${day} 11:00:00`,
      utc_start_date: `${day} ${['14', '13'][season]}:00:00`,
      utc_end_date: `${day} ${['16', '15'][season]}:00:00`,
    });
    expect(await start(newYork(), 'next wednesday 4pm')).toEqual(
      [
        ['2026-01-21 16:00:00', '2026-01-21 21:00:00'],
        ['2026-07-22 16:00:00', '2026-07-22 20:00:00'],
      ][season],
    );
    // Still the day before in New York.
    newYork().setNow(`${now.slice(0, 10)}T03:00:00Z`);
    expect((await start(newYork(), 'tomorrow 9am'))[0]).toBe(`${now.slice(0, 10)} 09:00:00`);
    expect((await start(newYork(), 'today'))[0]).toBe(`${now.slice(0, 8)}14 00:00:00`);
  });

  test('DATE-08: uses the zone of the request instead of the site zone', async () => {
    darwin().setNow(`${now.slice(0, 10)}T03:00:00Z`);
    const [on15, on16] = [`${now.slice(0, 8)}15`, `${now.slice(0, 8)}16`];
    const cases: [zone: string | undefined, tomorrow: [string, string], plainUtc: string][] = [
      ['America/New_York', [`${on15} 09:00:00`, `${on15} ${['14', '13'][season]}:00:00`], '2027-03-10 15:00:00'],
      ['UTC', [`${on16} 09:00:00`, `${on16} 09:00:00`], '2027-03-10 10:00:00'],
      ['Asia/Hong_Kong', [`${on16} 09:00:00`, `${on16} 01:00:00`], '2027-03-10 02:00:00'],
      ['Europe/Rome', [`${on16} 09:00:00`, `${on16} ${['08', '07'][season]}:00:00`], '2027-03-10 09:00:00'],
      [undefined, [`${on16} 09:00:00`, `${on15} 23:30:00`], '2027-03-10 00:30:00'],
    ];
    for (const [zone, tomorrow, plainUtc] of cases) {
      expect([zone, await start(darwin(), 'tomorrow 9am', zone)]).toEqual([zone, tomorrow]);
      expect([zone, await start(darwin(), '2027-03-10 10:00', zone)]).toEqual([
        zone,
        ['2027-03-10 10:00:00', plainUtc],
      ]);
    }
    const { client, tokens } = darwin();
    expect((await event(client, tokens.adm)).timezone).toBe('Australia/Darwin');
  });

  test('DATE-09: accepts month names, slashes, dashes and dots', async () => {
    const cases = [
      ['10 March 2027 5pm', '17:00:00'],
      ['10 march 2027', '00:00:00'],
      ['10 Mar 2027 17:30', '17:30:00'],
      ['March 10, 2027', '00:00:00'],
      ['March 10, 2027 9:30 pm', '21:30:00'],
      ['MAR 10 2027', '00:00:00'],
      ['03/10/2027', '00:00:00'],
      ['3/10/2027 noon', '12:00:00'],
      ['10-03-2027', '00:00:00'],
      ['10-03-2027 17:00', '17:00:00'],
      ['10.03.2027', '00:00:00'],
      ['10.3.2027 5pm', '17:00:00'],
    ] as const;
    for (const [sent, time] of cases) {
      expect([sent, (await start(newYork(), sent))[0]]).toEqual([sent, `2027-03-10 ${time}`]);
    }
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const full = 'January February March April May June July August September October November December'.split(' ');
    for (const [index, name] of names.entries()) {
      const shown = `2027-${String(index + 1).padStart(2, '0')}-10 00:00:00`;
      expect((await start(app(), `10 ${name} 2027`))[0]).toBe(shown);
      expect((await start(app(), `${full[index]} 10, 2027`))[0]).toBe(shown);
    }
  });

  test('DATE-10: rejects values that are no date', async () => {
    const none = [
      ['2027-02-30', '2027-02-29', '31/12/2027', '2027-13-01', '2027-00-10', '2027-03-00', '32.01.2027', '30 Feb 2027'],
      ['25:00', '24:00:00', '12:00', '9am', '2027-03', 'March 2027', '10 March'],
      ['2027-03-10 25:00', '2027-03-10 24:00:00', '2027-03-10 10:60', '2027-03-10 13pm', '2027-03-10 0am'],
      ['2027-03-10T10:00:00+25:00', '2027-03-10T10:00:00+01:60', '2027-03-10T10:00:00 Europe/Paris', '2027-03-10Z'],
      ['0999-12-31', '10000-01-01', '999-01-01', '27-03-10', '@12345678901234', '@', '@1.5'],
      [
        'before my birthday',
        'x',
        'monday',
        'next someday',
        'next',
        '+1',
        '1 fortnight',
        'tomorrow tomorrow',
        'now 9am',
      ],
      ['2027-03-10 10:00 2027-03-11', '2027-3-10', '10 Mai 2027', '+9999 years', '-2000 years', 'a'.repeat(200)],
    ].flat();
    for (const start_date of none) {
      const { body } = await expectRefusal(app(), { start_date }, { start_date: 'rest_invalid_date' });
      expect(body.data.params.start_date).toBe('start_date is not a date in a supported format.');
    }
    for (const start_date of [true, { date: 'now' }, ['2027-03-10']]) {
      await expectRefusal(app(), { start_date }, { start_date: 'rest_invalid_date' });
    }
    // The limits of the years apply to wall time and to UTC.
    const invalidEnd = { end_date: 'rest_invalid_date' };
    await expectRefusal(app(), { end_date: '9999-12-31 23:00', timezone: 'UTC-5' }, invalidEnd);
    await expectRefusal(app(), { end_date: '9999-12-31T23:00:00Z', timezone: 'UTC+5' }, invalidEnd);
    await expectRefusal(app(), { start_date: '1000-01-01', timezone: 'UTC+5' }, { start_date: 'rest_invalid_date' });
    await expectRefusal(app(), { start_date: 'x', end_date: 'y' }, { start_date: 'rest_invalid_date', ...invalidEnd });
    const { client, tokens } = app();
    expect((await event(client, tokens.adm, { end_date: '9999-12-31 23:00' })).end_date).toBe('9999-12-31 23:00:00');
  });

  test('DATE-11: resolves wall times in gaps and overlaps of clock changes', async () => {
    const cases = [
      ['Europe/Paris', '2027-03-28 02:30', '2027-03-28 03:30:00', '2027-03-28 01:30:00'],
      ['Europe/Paris', '2027-03-28 02:00', '2027-03-28 03:00:00', '2027-03-28 01:00:00'],
      ['Europe/Paris', '2027-03-28 01:59:59', '2027-03-28 01:59:59', '2027-03-28 00:59:59'],
      ['Europe/Paris', '2027-10-31 02:30', '2027-10-31 02:30:00', '2027-10-31 00:30:00'],
      ['Europe/Paris', '2027-10-31T02:30:00+01:00', '2027-10-31 02:30:00', '2027-10-31 01:30:00'],
      ['America/New_York', '2027-03-14 02:30', '2027-03-14 03:30:00', '2027-03-14 07:30:00'],
      ['America/New_York', '2027-11-07 01:30', '2027-11-07 01:30:00', '2027-11-07 05:30:00'],
      // A gap of half an hour, and a skipped day.
      ['Australia/Lord_Howe', '2027-10-03 02:15', '2027-10-03 02:45:00', '2027-10-02 15:45:00'],
      ['Pacific/Apia', '2011-12-30 10:00', '2011-12-31 10:00:00', '2011-12-30 20:00:00'],
      ['CET', '2027-03-28 02:30', '2027-03-28 03:30:00', '2027-03-28 01:30:00'],
      ['UTC+1', '2027-03-28 02:30', '2027-03-28 02:30:00', '2027-03-28 01:30:00'],
    ] as const;
    for (const [zone, sent, wall, utc] of cases) {
      expect([zone, sent, ...(await start(app(), sent, zone))]).toEqual([zone, sent, wall, utc]);
    }
  });

  test('DATE-12: rejects an end before the start', async () => {
    const { client, tokens } = app();
    const day = (start_date: string, end_date: string, timezone?: string) => ({ start_date, end_date, timezone });
    const early = { end_date: 'rest_invalid_date' };
    const { body } = await expectRefusal(app(), day('2027-03-10 10:00', '2027-03-10 09:59:59'), early);
    expect(body.data.params.end_date).toBe('end_date must not be before start_date.');
    await expectRefusal(app(), day('2027-03-10T10:00:00Z', '2027-03-10T11:30:00+02:00'), early);
    await expectRefusal(app(), { ...day('2027-03-11', '2027-03-10'), all_day: true }, early);
    for (const fields of [
      day('2027-03-10 10:00', '2027-03-10 10:00:00'),
      day('2027-03-10T12:00:00+02:00', '2027-03-10T10:00:00Z'),
      // The end is earlier in wall time, but later in UTC.
      day('2027-10-31T00:45:00Z', '2027-10-31T01:15:00Z', 'Europe/Paris'),
      { ...day('2027-03-10 17:00', '2027-03-10 9am'), all_day: true },
    ]) {
      expect((await event(client, tokens.adm, fields)).start_date).toMatch(/^2027-/);
    }
  });

  test('DATE-13: all_day widens an event to whole days of its zone', async () => {
    const { client, tokens } = app();
    const days = { start_date: 'tomorrow 9am', end_date: '+5 days' };
    const made = await event(client, tokens.adm, { ...days, all_day: true, timezone: 'America/New_York' });
    const month = now.slice(0, 8);
    const hour = ['05', '04'][season];
    expect(made).toMatchObject({
      all_day: true,
      start_date: `${month}16 00:00:00`,
      end_date: `${month}20 23:59:59`,
      utc_start_date: `${month}16 ${hour}:00:00`,
      utc_end_date: `${month}21 ${['04', '03'][season]}:59:59`,
    });
    const instants = await event(client, tokens.adm, {
      start_date: '2027-03-10T02:00:00Z',
      end_date: '2027-03-10T02:00:00Z',
      all_day: 'yes',
      timezone: 'America/New_York',
    });
    expect([instants.start_date, instants.end_date]).toEqual(['2027-03-09 00:00:00', '2027-03-09 23:59:59']);
  });

  test('DATE-14: normalizes the spelling of zones, and returns their abbreviations', async () => {
    const { client, tokens } = app();
    const [january, july] = ['2027-01-10 10:00', '2027-07-10 10:00'];
    const cases: [sent: string, stored: string, winter: string, summer: string][] = [
      ['europe/paris', 'Europe/Paris', 'CET', 'CEST'],
      ['asia/calcutta', 'Asia/Calcutta', 'IST', 'IST'],
      ['cet', 'CET', 'CET', 'CEST'],
      ['us/eastern', 'US/Eastern', 'EST', 'EDT'],
      ['EST', 'EST', 'EST', 'EST'],
      ['EUROPE/LONDON', 'Europe/London', 'GMT', 'BST'],
      ['Asia/Tokyo', 'Asia/Tokyo', 'JST', 'JST'],
      ['America/Sao_Paulo', 'America/Sao_Paulo', '-03', '-03'],
      ['Asia/Colombo', 'Asia/Colombo', '+0530', '+0530'],
      ['+02:00', 'UTC+2', 'UTC+2', 'UTC+2'],
      ['UTC+2', 'UTC+2', 'UTC+2', 'UTC+2'],
      ['utc+02', 'UTC+2', 'UTC+2', 'UTC+2'],
      ['UTC+05:30', 'UTC+5:30', 'UTC+5:30', 'UTC+5:30'],
      ['-05:30', 'UTC-5:30', 'UTC-5:30', 'UTC-5:30'],
      ['UTC+14', 'UTC+14', 'UTC+14', 'UTC+14'],
      ['-12:00', 'UTC-12', 'UTC-12', 'UTC-12'],
      ['UTC+0', 'UTC', 'UTC', 'UTC'],
      ['-00:00', 'UTC', 'UTC', 'UTC'],
      ['utc', 'UTC', 'UTC', 'UTC'],
      ['gmt', 'GMT', 'GMT', 'GMT'],
    ];
    for (const [timezone, stored, ...abbreviations] of cases) {
      for (const [index, start_date] of [january, july].entries()) {
        const made = await event(client, tokens.adm, { start_date, end_date: '2028-01-01', timezone });
        expect([timezone, made.timezone, made.timezone_abbr]).toEqual([timezone, stored, abbreviations[index]]);
      }
    }
  });

  test('DATE-15: a fixed offset has no summer time', async () => {
    expect(await start(app(), '2027-07-10 10:00', 'UTC+2')).toEqual(['2027-07-10 10:00:00', '2027-07-10 08:00:00']);
    expect(await start(app(), '2027-01-10 10:00', 'UTC+2')).toEqual(['2027-01-10 10:00:00', '2027-01-10 08:00:00']);
    expect(await start(app(), '2027-07-10 10:00', 'UTC-5')).toEqual(['2027-07-10 10:00:00', '2027-07-10 15:00:00']);
    expect(await start(app(), '2027-07-10 10:00', '+05:45')).toEqual(['2027-07-10 10:00:00', '2027-07-10 04:15:00']);
    expect(await start(app(), '2027-07-10 10:00', 'Etc/GMT+5')).toEqual(['2027-07-10 10:00:00', '2027-07-10 15:00:00']);
  });

  test('DATE-16: rejects unknown zones, and uses the site zone if none is sent', async () => {
    const unknown = [
      'Mars/X',
      'UTC+15',
      '-13:00',
      'UTC+14:30',
      'UTC-12:30',
      'UTC+5:60',
      'UTC+',
      '+2',
      'foo',
      '?',
      5,
      'x',
    ];
    for (const timezone of [...unknown, 'a'.repeat(300), true, {}]) {
      const { body } = await expectRefusal(app(), { timezone }, { timezone: 'rest_invalid_timezone' });
      expect(body.data.params.timezone).toBe('timezone is not a known time zone.');
    }
    const { client, tokens } = newYork();
    for (const timezone of ['', null, undefined]) {
      const made = await event(client, tokens.adm, { timezone });
      expect([timezone, made.timezone, made.utc_start_date]).toEqual([
        timezone,
        'America/New_York',
        '2027-03-10 15:00:00',
      ]);
    }
  });

  test('DATE-17: returns the parts of a time padded and in order', async () => {
    const { client, tokens } = app();
    const made = await event(client, tokens.adm, {
      start_date: '1027-03-04 05:06:07',
      end_date: '2027-11-12 13:14:15',
      timezone: 'UTC+1',
    });
    const parts = (year: string, month: string, day: string, hour: string, minutes: string, seconds: string) =>
      JSON.stringify({ year, month, day, hour, minutes, seconds });
    expect(JSON.stringify(made.start_date_details)).toBe(parts('1027', '03', '04', '05', '06', '07'));
    expect(JSON.stringify(made.utc_start_date_details)).toBe(parts('1027', '03', '04', '04', '06', '07'));
    expect(JSON.stringify(made.end_date_details)).toBe(parts('2027', '11', '12', '13', '14', '15'));
    expect(JSON.stringify(made.utc_end_date_details)).toBe(parts('2027', '11', '12', '12', '14', '15'));
  });
});

describe('POST /events: dates near clock changes and month ends', () => {
  const app = useApp({ SITE_TIMEZONE: 'Europe/Paris' });

  test('DATE-06: relative days keep the wall time, relative hours count elapsed time', async () => {
    app().setNow('2027-03-27T11:00:00Z');
    expect(await start(app(), '+1 day')).toEqual(['2027-03-28 12:00:00', '2027-03-28 10:00:00']);
    expect(await start(app(), '+24 hours')).toEqual(['2027-03-28 13:00:00', '2027-03-28 11:00:00']);
    app().setNow('2027-03-27T01:30:00Z');
    // Tomorrow there is no 02:30.
    expect(await start(app(), '+1 day')).toEqual(['2027-03-28 03:30:00', '2027-03-28 01:30:00']);
    app().setNow('2027-10-30T10:00:00Z');
    expect(await start(app(), '+1 day')).toEqual(['2027-10-31 12:00:00', '2027-10-31 11:00:00']);
    expect(await start(app(), '+24 hours')).toEqual(['2027-10-31 11:00:00', '2027-10-31 10:00:00']);
  });

  test('DATE-06: resolves now in the second hour of an overlap', async () => {
    app().setNow('2027-10-31T01:30:00Z');
    expect(await start(app(), 'now')).toEqual(['2027-10-31 02:30:00', '2027-10-31 01:30:00']);
    expect(await start(app(), '+10 minutes')).toEqual(['2027-10-31 02:40:00', '2027-10-31 01:40:00']);
  });

  test('DATE-06: months and years are clamped to the last day of the month', async () => {
    app().setNow('2027-01-31T11:00:00Z');
    expect((await start(app(), '+1 month'))[0]).toBe('2027-02-28 12:00:00');
    expect((await start(app(), '+13 months'))[0]).toBe('2028-02-29 12:00:00');
    expect((await start(app(), 'last month'))[0]).toBe('2026-12-31 12:00:00');
    app().setNow('2028-02-29T11:00:00Z');
    expect((await start(app(), 'next year'))[0]).toBe('2029-02-28 12:00:00');
    expect((await start(app(), '+4 years'))[0]).toBe('2032-02-29 12:00:00');
  });

  test('DATE-06: near midnight the zone decides which day is today', async () => {
    // 00:30 of the first of January in Paris.
    app().setNow('2026-12-31T23:30:00Z');
    expect((await start(app(), 'today'))[0]).toBe('2027-01-01 00:00:00');
    expect((await start(app(), 'yesterday noon'))[0]).toBe('2026-12-31 12:00:00');
    expect((await start(app(), 'today', 'America/New_York'))[0]).toBe('2026-12-31 00:00:00');
    expect((await start(app(), 'next friday'))[0]).toBe('2027-01-08 00:00:00');
    expect((await start(app(), 'next friday', 'UTC'))[0]).toBe('2027-01-01 00:00:00');
  });
});
