import { Temporal } from '@js-temporal/polyfill';
import moment from 'moment-timezone';
import { toUtc, toWall } from './calendar-time.js';
import { fixedOffset, offsetSeconds, INTERVAL_SECONDS } from './utc-offset.js';

const ZONES = [
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Gaza',
  'Europe/Dublin',
  'Europe/Amsterdam',
  'EST',
];
const FIRST = Date.UTC(1000, 0, 1) / 1000;
const LAST = Date.UTC(9999, 11, 31) / 1000;

/** Returns the same random numbers in every run (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
}

function plainOffset(zone: string, seconds: number): number {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9;
}

function plainUtc(wall: string, zone: string): string {
  const instant = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
  return instant.toString().slice(0, 19).replace('T', ' ');
}

function plainWall(utc: string, zone: string): string {
  const zoned = Temporal.Instant.from(`${utc.replace(' ', 'T')}Z`).toZonedDateTimeISO(zone);
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}

function text(seconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toString()
    .slice(0, 19)
    .replace('T', ' ');
}

/** Returns random instants of all years, and instants close to every clock change in the zone database. */
function instants(zone: string): number[] {
  const random = randomNumbers(zone.length);
  const anywhere = Array.from({ length: 150 }, () => Math.floor(FIRST + random() * (LAST - FIRST)));
  const lately = Array.from({ length: 150 }, () => Math.floor(Date.UTC(1900, 0, 1) / 1000 + random() * 5e9));
  const changes = (moment.tz.zone(zone)?.untils ?? []).filter((until) => until < Date.UTC(2040, 0, 1));
  const near = changes.flatMap((until) => [until / 1000 - 1, until / 1000, until / 1000 + Math.floor(random() * 7200)]);
  return [...anywhere, ...lately, ...near];
}

describe('zone data in use', () => {
  it(`ICU ${process.versions.tz} for rules, moment-timezone ${moment.tz.dataVersion} for names`, () => {
    expect((process.versions.tz ?? '') >= '2025a').toBe(true);
    expect(moment.tz.dataVersion).toBe('2026f');
  });
});

describe('offsetSeconds', () => {
  it.each(ZONES)('%s: equals Temporal at any instant of the years 1000 to 9999', (zone) => {
    const times = instants(zone);
    const got = times.map((seconds) => [seconds, offsetSeconds(zone, seconds)]);
    expect(got).toEqual(times.map((seconds) => [seconds, plainOffset(zone, seconds)]));
  });

  it('every zone of the database: equals Temporal', () => {
    const seconds = [Date.UTC(1850, 0, 1), Date.UTC(1944, 6, 1), Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
    const offsets = (of: (zone: string, seconds: number) => number) =>
      moment.tz.names().map((zone) => [zone, ...seconds.map((at) => of(zone, at / 1000))]);
    expect(offsets(offsetSeconds)).toEqual(offsets((zone, at) => fixedOffset(zone) ?? plainOffset(zone, at)));
  });

  it.each(ZONES)('%s: toWall and toUtc equal Temporal, in gaps and overlaps too', (zone) => {
    const times = instants(zone)
      .filter((_, index) => index % 2 === 0)
      .map(text);
    expect(times.map((utc) => toWall(utc, zone))).toEqual(times.map((utc) => plainWall(utc, zone)));
    // Wall times shifted by up to two hours fall into gaps and overlaps.
    const walls = instants(zone).map((seconds, index) =>
      text(seconds + plainOffset(zone, seconds) + (index % 3) * 1800),
    );
    expect(walls.map((wall) => toUtc(wall, zone))).toEqual(walls.map((wall) => plainUtc(wall, zone)));
  });

  it('an interval contains at most one change in every zone of the database', () => {
    const shortest = moment.tz.names().map((name) => {
      const { offsets, untils } = moment.tz.zone(name) ?? { offsets: [], untils: [] };
      const changes = untils.filter((_, index) => offsets[index] !== offsets[index + 1]);
      return Math.min(...changes.slice(1).map((until, index) => until - (changes[index] ?? 0)));
    });
    expect(Math.min(...shortest) / 1000).toBeGreaterThan(INTERVAL_SECONDS);
  });
});

describe('fixedOffset', () => {
  it.each([
    ['UTC', 0],
    ['GMT', 0],
    ['UTC+2', 7200],
    ['UTC-5:30', -19_800],
    ['UTC-0:30', -1800],
    ['UTC+14', 50_400],
    ['Etc/UTC', undefined],
    ['UCT', undefined],
  ])('%s is %s', (zone, seconds) => {
    expect(fixedOffset(zone)).toBe(seconds);
  });
});
