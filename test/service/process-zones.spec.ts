import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startServer } from '../support/process.js';

/** Time zones of the process, which must not change any response. All are compared with the first one. */
const ZONES = ['UTC', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu'] as const;
const TOKEN = 'process-zones-0123456789-0123456789';
const SITE_ZONES = ['UTC', 'America/New_York', 'Europe/Paris'] as const;

/** Dates that do not depend on the current time, with DST gaps and overlaps of several zones. */
const STARTS: [zone: string, start: unknown][] = [
  ['UTC', '2027-03-10 10:00'],
  ['Europe/Paris', '2027-03-28 02:30'],
  ['Europe/Paris', '2027-10-31 02:30'],
  ['Europe/Paris', '2027-10-31T02:30:00+01:00'],
  ['America/New_York', '2027-03-14 02:30'],
  ['America/New_York', '2027-11-07T06:30:00Z'],
  ['Pacific/Apia', '2011-12-30 10:00'],
  ['Asia/Kathmandu', '2027-07-10 23:59:59'],
  ['Australia/Lord_Howe', '2027-10-03 02:15'],
  ['UTC-5:30', '20270310T170000Z'],
  ['Asia/Tokyo', 1804698000],
  ['Asia/Tokyo', '@-30610224000'],
  ['Africa/Casablanca', 'March 10, 2027 9:30 pm'],
  ['America/Sao_Paulo', '10.03.2027'],
];
/** Relative dates. All servers get a request at the same time, because the current day may change between requests. */
const WORDS = ['today', 'tomorrow 9am', 'yesterday noon', 'next monday 4pm', 'last friday'];
const QUERIES = [
  'start_date=2011-01-01&end_date=2030-01-01&per_page=100',
  'start_date=2027-03-10&end_date=2027-03-10',
  'starts_after=2027-03-14T06:59:59Z&starts_before=2027-10-31&strict_dates=yes&start_date=2000-01-01',
  'start_date=2027-03-28+02:30&strict_dates=1&orderby=end_date&order=desc',
  'ends_before=2027-03-10&start_date=1001-01-01',
  'starts_before=2027-03-14+02:30&ends_after=2011-12-29&strict_dates=1',
  'start_date=@1804698000&end_date=10+March+2028+5pm',
  'orderby=date&per_page=3&page=2&start_date=1001-01-01',
  'start_date=2027-02-30',
];

interface Server {
  readonly client: Client;
  readonly database: TestDatabase;
  readonly stop: () => Promise<number | null>;
}

describe.each(SITE_ZONES)('the time zone of the process, on a site in %s', (site) => {
  let servers: Server[];

  beforeAll(async () => {
    servers = await Promise.all(
      ZONES.map(async (TZ) => {
        const database = await createTestDatabase();
        const settings = { TZ, SITE_TIMEZONE: site, PUBLIC_URL: 'https://example.com', KALENDS_ADMIN_TOKEN: TOKEN };
        const { port, stop } = await startServer({ ...settings, DATABASE_URL: database.url });
        return { client: new Client(port, '/calendar/events/v1'), database, stop };
      }),
    );
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await Promise.all(servers.map(({ database }) => database.drop()));
  });

  /** Returns the response of each server without the times of modification, which may differ. */
  const answers = (method: string, path: string, body?: object) =>
    Promise.all(
      servers.map(async ({ client }) => {
        const reply = await client.send(path, { method, body, token: TOKEN });
        const headers = ['location', 'link', 'x-tec-total'].map((name) => reply.headers[name]);
        return [reply.status, ...headers, reply.text.replace(/"(modified|modified_utc)":"[-\d :]+"/g, '"$1":""')];
      }),
    );

  /** Expects equal responses of all servers. Returns the response of the first one. */
  const expectSame = async (method: string, path: string, body?: object) => {
    const [inUtc, ...others] = await answers(method, path, body);
    for (const [index, other] of others.entries()) {
      expect([ZONES[index + 1], method, path, ...other]).toEqual([ZONES[index + 1], method, path, ...(inUtc ?? [])]);
    }
    return inUtc ?? [];
  };

  test('DATE-01, DATE-02, DATE-03, DATE-04, DATE-09, DATE-11: responses to writes equal those in UTC', async () => {
    for (const [index, [timezone, start_date]] of STARTS.entries()) {
      const times = { start_date, end_date: '2028-01-01 12:00', timezone, date: '2026-03-29 02:30' };
      const made = await expectSame('POST', '/events', { title: `Event ${index}`, ...times, all_day: index % 3 === 0 });
      expect(made[0]).toBe(201);
      expect((await expectSame('PATCH', `/events/${index + 1}`, { timezone: 'Asia/Kathmandu' }))[0]).toBe(200);
      expect((await expectSame('PATCH', `/events/${index + 1}`, { timezone, end_date: '2028-02-29' }))[0]).toBe(200);
    }
    expect((await expectSame('POST', '/events', { title: 'x', start_date: '2027-02-30', end_date: 'now' }))[0]).toBe(
      400,
    );
    for (const date of ['2026-10-25T01:30:00Z', '2026-03-29 02:30', '1804698000']) {
      expect((await expectSame('POST', '/venues', { venue: `Of ${date}`, date }))[0]).toBe(201);
    }
  });

  test.each(QUERIES)('EV-LIST-10, EV-LIST-11, EV-LIST-12, EV-LIST-13, EV-LIST-15, EV-LIST-16: %s', async (query) => {
    const [status, , , total] = await expectSame('GET', `/events?${query}`);
    expect([status, total === undefined]).toEqual(query.endsWith('02-30') ? [400, true] : [200, false]);
  });

  test('EV-GET-01, EV-GET-11: a record and its json_ld equal those in UTC', async () => {
    for (const [index] of STARTS.entries()) expect((await expectSame('GET', `/events/${index + 1}`))[0]).toBe(200);
  });

  test.each(['UTC', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu'])(
    'DATE-06, DATE-08: relative dates equal those in UTC, for an event in %s',
    async (timezone) => {
      for (const start_date of WORDS) {
        const times = { start_date, end_date: '9000-01-01', timezone, date: '2026-01-01' };
        expect((await expectSame('PATCH', '/events/1', times))[0]).toBe(200);
      }
    },
  );

  test('EV-LIST-08, EV-LIST-09: the default window equals that in UTC', async () => {
    expect((await expectSame('GET', '/events'))[0]).toBe(200);
  });
});
