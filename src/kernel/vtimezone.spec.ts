import moment from 'moment-timezone';
import { wrongOffsets } from '../../test/support/zone-rules.js';
import { fixedOffset, offsetSeconds } from './time/utc-offset.js';
import { startOfYear, zoneChanges } from './time/zone-changes.js';
import { vtimezone } from './vtimezone.js';

const ZONES = moment.tz.names().filter((zone) => fixedOffset(zone) === undefined);

const between = (first: string, last: string) => ({ firstUtc: `${first} 12:00:00`, lastUtc: `${last} 12:00:00` });
const linesOf = (zone: string, first: string, last = first) => vtimezone(zone, between(first, last)).split('\r\n');

test.each([
  ['Europe/Paris', 1975, 1999],
  ['America/New_York', 1966, 1990],
  ['America/Sao_Paulo', 2015, 2022],
  ['Africa/Casablanca', 2024, 2040],
  ['Pacific/Apia', 2009, 2023],
  ['Asia/Gaza', 2020, 2040],
  ['Antarctica/Troll', 2024, 2030],
  ['Europe/Amsterdam', 1935, 1941],
  ['Australia/Lord_Howe', 1980, 2030],
])('ICS-12: %s from %i to %i is read with the offsets of the service', (zone, first, last) => {
  const component = vtimezone(zone, between(`${first}-01-01`, `${last}-12-30`));
  expect(wrongOffsets(component, zone, first, last)).toEqual([]);
});

test('ICS-13: a zone with yearly rules has one STANDARD and one DAYLIGHT, the last in the component', () => {
  expect(linesOf('Europe/Paris', '2026-12-05')).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Paris',
    'BEGIN:DAYLIGHT',
    'DTSTART:20250330T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'TZNAME:CEST',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:20251026T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'TZNAME:CET',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
    '',
  ]);
  const rules = (zone: string) => linesOf(zone, '2026-12-05').filter((line) => line.startsWith('RRULE'));
  expect(rules('America/New_York')).toEqual([
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
  ]);
  expect(rules('Australia/Lord_Howe')).toEqual([
    'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU',
  ]);
  expect(rules('Africa/Casablanca')).toEqual([]);
});

test('a pair of rules begins after irregular changes, with the greatest DTSTARTs', () => {
  // The United States moved both changes in 2007, and the first one in 1987.
  const lines = linesOf('America/New_York', '2006-06-01', '2007-06-01');
  const starts = lines.filter((line) => line.startsWith('DTSTART')).map((line) => line.slice(8, 12));
  expect(starts).toEqual(['2005', '2005', '2006', '2006', '2007', '2007']);
  expect(lines.filter((line) => line.startsWith('RRULE'))).toHaveLength(2);
});

test('a zone without changes has one STANDARD', () => {
  expect(linesOf('Asia/Tokyo', '2026-12-05')).toEqual([
    'BEGIN:VTIMEZONE',
    'TZID:Asia/Tokyo',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0900',
    'TZOFFSETTO:+0900',
    'TZNAME:JST',
    'END:STANDARD',
    'END:VTIMEZONE',
    '',
  ]);
});

test('an observance comes before a first change that is later than the first event', () => {
  // Namibia has had no changes since 2017; Egypt has had changes again since 2023.
  const lines = linesOf('Africa/Cairo', '2022-06-01', '2024-06-01');
  expect(lines.slice(2, 5)).toEqual(['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0200']);
  const early = linesOf('Europe/Paris', '1500-06-01', '9998-06-01');
  expect(early.slice(2, 6)).toEqual([
    'BEGIN:STANDARD',
    'DTSTART:14990101T000000',
    'TZOFFSETFROM:+000921',
    'TZOFFSETTO:+000921',
  ]);
  expect(early.length).toBeLessThan(4_000);
});

test('the offset of every zone repeats every year from the last irregular year on', () => {
  // 2100 and the years behind it; `vtimezone` reads no later ones (zone-changes.ts).
  const year = (zone: string, at: number) => zoneChanges(zone, at).map(({ from, to }) => [from, to]);
  const some = ZONES.filter((_, index) => index % 20 === 0);
  for (const zone of some) expect([zone, year(zone, 2400)]).toEqual([zone, year(zone, 2101)]);
  expect(offsetSeconds('Africa/Casablanca', startOfYear(2101))).toBe(
    offsetSeconds('Africa/Casablanca', startOfYear(2400)),
  );
});
