import { parseTimeZone, timeZoneAbbreviation } from './time-zone.js';

describe('parseTimeZone', () => {
  it.each([
    ['DATE-14', 'europe/paris', 'Europe/Paris'],
    ['DATE-14', 'asia/calcutta', 'Asia/Calcutta'],
    ['DATE-14', 'AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['DATE-14', 'us/eastern', 'US/Eastern'],
    ['DATE-14', 'cet', 'CET'],
    ['DATE-14', 'est', 'EST'],
    ['DATE-14', 'Etc/GMT+5', 'Etc/GMT+5'],
    ['DATE-14', 'etc/utc', 'Etc/UTC'],
    ['DATE-14', 'utc', 'UTC'],
    ['DATE-14', 'GMT', 'GMT'],
    ['DATE-14', '+02:00', 'UTC+2'],
    ['DATE-14', '-05:30', 'UTC-5:30'],
    ['DATE-14', 'UTC+2', 'UTC+2'],
    ['DATE-14', 'utc-5', 'UTC-5'],
    ['DATE-14', 'UTC+05:30', 'UTC+5:30'],
    ['DATE-14', 'UTC-5:05', 'UTC-5:05'],
    ['DATE-14', 'UTC+02:00', 'UTC+2'],
    ['DATE-14', 'UTC-0:30', 'UTC-0:30'],
    ['DATE-14', 'UTC+14', 'UTC+14'],
    ['DATE-14', '-12:00', 'UTC-12'],
    ['DATE-14', 'UTC+0', 'UTC'],
    ['DATE-14', '-00:00', 'UTC'],
  ])('%s: %j is stored as %s', (_, text, zone) => {
    expect(parseTimeZone(text)).toBe(zone);
    expect(parseTimeZone(zone)).toBe(zone);
  });

  it.each([
    ...['Mars/X', 'UTC+15', '-13:00', '', ' ', 'UTC+14:01', 'UTC-12:30', 'UTC+2:60', 'UTC+2:5', 'UTC+', 'UTC 2', '+2'],
    ...['02:00', '+0200', '+2:00', 'UTC+5.5', 'UTC+002', 'Z', 'Paris', 'Europe_Paris', 'Europe/Paris ', 'GMT+2', 'PST'],
    ...['constructor', '__proto__', 'Etc/Unknown', 'Europe/Paris\n', `UTC+${'1'.repeat(100_000)}`],
  ])('DATE-16: %j is rejected', (text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });
});

describe('timeZoneAbbreviation', () => {
  it.each([
    ['Europe/Paris', 'CET', 'CEST'],
    ['CET', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['America/New_York', 'EST', 'EDT'],
    ['US/Eastern', 'EST', 'EDT'],
    ['EST', 'EST', 'EST'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Calcutta', 'IST', 'IST'],
    ['Australia/Darwin', 'ACST', 'ACST'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['Asia/Colombo', '+0530', '+0530'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['Australia/Lord_Howe', '+11', '+1030'],
    ['Etc/GMT+5', '-05', '-05'],
    ['Etc/UTC', 'UTC', 'UTC'],
    ['UTC', 'UTC', 'UTC'],
    ['GMT', 'GMT', 'GMT'],
    ['UTC+2', 'UTC+2', 'UTC+2'],
    ['UTC-5:30', 'UTC-5:30', 'UTC-5:30'],
  ])('DATE-14: %s is %s in January, %s in July', (zone, january, july) => {
    expect(timeZoneAbbreviation(zone, '2027-01-15 12:00:00')).toBe(january);
    expect(timeZoneAbbreviation(zone, '2027-07-15 12:00:00')).toBe(july);
  });

  it.each([
    ['the last second of summer time', 'Europe/Paris', '2027-10-31 00:59:59', 'CEST'],
    ['the first second of winter time', 'Europe/Paris', '2027-10-31 01:00:00', 'CET'],
    ['years after the names end', 'Europe/Paris', '9999-07-01 12:00:00', 'CEST'],
    ['years after the names end', 'America/New_York', '9999-01-01 12:00:00', 'EST'],
    ['local mean time', 'Europe/Paris', '1800-01-01 12:00:00', 'LMT'],
  ])('DATE-14: %s (%s, %s) is %s', (_, zone, utc, abbreviation) => {
    expect(timeZoneAbbreviation(zone, utc)).toBe(abbreviation);
  });
});
