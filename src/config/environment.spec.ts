import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidEnvironment, readEnvironment } from './environment.js';

/** The names of all settings, including those without a default. */
const DECLARED = [...readFileSync('src/config/environment.ts', 'utf8').matchAll(/^ {2}([A-Z_]+)\??: /gm)].map(
  ([, name = '']) => name,
);
const MAY_BE_EMPTY = ['COMPAT_MOUNTS', 'CORS_ORIGINS', 'ALLOWED_HOSTS', 'TRUST_PROXY', 'EMBED_ORIGINS'];

describe('readEnvironment', () => {
  it('has a default for every setting', () => {
    expect(readEnvironment({})).toEqual({
      PORT: 3000,
      OTEL_SDK_DISABLED: false,
      DATABASE_URL: 'sqlite:./data/kalends.sqlite',
      SQLITE_SYNCHRONOUS: 'full',
      BASE_PATH: '',
      COMPAT_MOUNTS: ['/wp-json/tribe/events/v1'],
      LANGUAGES: ['en', 'de', 'fr'],
      TRUST_PROXY: [],
      SITE_TIMEZONE: 'UTC',
      MAX_PER_PAGE: 100,
      CURRENCY_SYMBOL: '$',
      CURRENCY_CODE: 'USD',
      CURRENCY_POSITION: 'prefix',
      CORS_ORIGINS: ['*'],
      COMPRESSION: true,
      IMAGE_PROBE: false,
      FEEDS: true,
      ICAL_PAST: 30,
      ICAL_MOST: 5000,
      ICAL_REFRESH: 'PT1H',
      MAX_BODY_BYTES: 1_048_576,
      MAX_TEXT_BYTES: 262_144,
      MAX_BODIES_IN_FLIGHT_BYTES: 67_108_864,
      MAX_ANSWERS_IN_FLIGHT_BYTES: 67_108_864,
      FAILED_ATTEMPTS: 10,
      CHANGES_WAITERS: 1000,
      PAGES: 'auto',
      SITE_NAME_SHOWN: true,
      SITE_LINKS: [],
      SITE_REGION: 'GB',
      EMBED_ORIGINS: ['*'],
      REDIS_PREFIX: 'kalends:',
      HEADERS_TIMEOUT: 5,
      REQUEST_TIMEOUT: 15,
      KEEP_ALIVE_TIMEOUT: 65,
      MAX_CONNECTIONS: 5000,
      SHUTDOWN_DELAY: 1,
      SHUTDOWN_TIMEOUT: 10,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'auto',
      CACHE_ENTRIES: 20_000,
      CACHE_STALENESS: 0,
      INDEX: true,
      SEARCH_INDEX_FROM: 10_000,
      WEBHOOKS: true,
      WEBHOOK_HTTP: false,
      WEBHOOK_NETWORKS: [],
      WEBHOOK_MOST: 50,
      DATABASE_READ_TIMEOUT: 3,
      DATABASE_WRITE_TIMEOUT: 5,
      WORKERS: '1',
    });
  });

  it.each(DECLARED)('treats an empty %s as unset, or as the empty list where the list may be empty', (name) => {
    const expected = { ...readEnvironment({}), ...(MAY_BE_EMPTY.includes(name) ? { [name]: [] } : {}) };
    expect({ ...readEnvironment({ [name]: '' }) }).toEqual(expected);
  });

  it.each([
    ['PORT', '8080', 8080],
    ['PUBLIC_URL', 'https://example.com/site/', 'https://example.com/site'],
    ['COMPAT_MOUNTS', '/a/b , /c', ['/a/b', '/c']],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['IMAGE_PROBE', 'On', true],
    ['LANGUAGES', 'de,en', ['de', 'en']],
    ['SITE_TIMEZONE', 'UTC-5:30', 'UTC-5:30'],
    ['CORS_ORIGINS', 'none', []],
    ['ICAL_REFRESH', 'P1DT12H30M', 'P1DT12H30M'],
    ['ICAL_REFRESH', 'P2W', 'P2W'],
  ])('reads %s=%s', (name, value, expected) => {
    expect(readEnvironment({ [name]: value })).toHaveProperty(name, expected);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'postgres://localhost/kalends'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite: '],
    ['SQLITE_SYNCHRONOUS', 'off'],
    ['KALENDS_ADMIN_TOKEN', 'short'],
    ['BASE_PATH', 'api'],
    ['BASE_PATH', '/a b'],
    ['COMPAT_MOUNTS', 'wp-json'],
    ['COMPAT_MOUNTS', '/fine,//not'],
    ['LANGUAGES', 'en,xx'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/?a=1'],
    ['SITE_URL', 'https://user:word@example.com'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', '10.0.0.1,gateway.local'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['SITE_TIMEZONE', 'Mars/Olympus'],
    ['MAX_PER_PAGE', '0'],
    ['MAX_PER_PAGE', 'many'],
    ['ICAL_PAST', '-1'],
    ['ICAL_MOST', '0'],
    ['ICAL_MOST', '20001'],
    ['ICAL_REFRESH', '1 hour'],
    ['ICAL_REFRESH', 'PT0M'],
    ['ICAL_REFRESH', 'PT30S'],
    ['ICAL_REFRESH', 'P1DT'],
    ['CURRENCY_SYMBOL', 'a very long symbol'],
    ['CURRENCY_CODE', 'usd'],
    ['CURRENCY_POSITION', 'above'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/path'],
    ['IMAGE_PROBE', 'perhaps'],
    ['MAX_BODY_BYTES', '12'],
    ['MAX_BODY_BYTES', '1e12'],
    ['FAILED_ATTEMPTS', '0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://localhost/name'],
    ['REDIS_URL', 'redis://localhost:99999'],
    ['REDIS_URL', 'redis://localhost:0'],
    ['REDIS_URL', 'redis://:%@localhost'],
    ['REDIS_URL', 'redis://%zz:x@localhost:6379/1'],
    ['REDIS_PREFIX', 'a b'],
    ['RATE_LIMIT', '600'],
    ['RATE_LIMIT', '0/60'],
    ['RATE_LIMIT', '600/0'],
    ['RATE_LIMIT', '600/1000000'],
    ['RATE_LIMIT', '600 per minute'],
    ['HEADERS_TIMEOUT', '0'],
    ['REQUEST_TIMEOUT', '-1'],
    ['KEEP_ALIVE_TIMEOUT', 'never'],
    ['MAX_CONNECTIONS', '0'],
    ['SHUTDOWN_DELAY', '1.5'],
    ['SHUTDOWN_TIMEOUT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
  ])('contract GEN-06: rejects %s=%s and names the variable', (name, value) => {
    const reading = () => readEnvironment({ [name]: value });
    expect(reading).toThrow(InvalidEnvironment);
    expect(reading).toThrow(new RegExp(`^${name}: `, 'm'));
  });

  it.each([
    ['MAX_PER_PAGE', 'ten', 'must be a whole number'],
    ['MAX_PER_PAGE', '0', 'must not be less than 1'],
    ['LANGUAGES', 'en,es', 'must be a list of en, de, fr'],
    [
      'DATABASE_URL',
      'sqlite::memory:',
      'must name a file: a database in memory cannot be shared. Try sqlite:/dev/shm/',
    ],
  ])('says what is wrong with %s=%s', (name, value, text) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(`${name}: ${text}`);
  });

  it('names every invalid variable in one error, and quotes no secret', () => {
    const reading = () => readEnvironment({ PORT: 'x', LOG_LEVEL: 'y', KALENDS_ADMIN_TOKEN: 'hush' });
    expect(reading).toThrow(
      /PORT: [^]*KALENDS_ADMIN_TOKEN: [^]*LOG_LEVEL: |PORT: [^]*LOG_LEVEL: [^]*KALENDS_ADMIN_TOKEN: /,
    );
    expect(reading).not.toThrow(/hush/);
  });

  describe('secrets from files', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'kalends-')), 'token');
    const token = 'a-token-of-at-least-32-characters-or-so';

    it('reads the token from a file, with or without a line end', () => {
      for (const text of [token, `${token}\n`]) {
        writeFileSync(path, text);
        expect(readEnvironment({ KALENDS_ADMIN_TOKEN_FILE: path }).KALENDS_ADMIN_TOKEN).toBe(token);
      }
    });

    it.each([
      ['KALENDS_ADMIN_TOKEN', token],
      ['REDIS_URL', 'redis://:secret@localhost:6379/1'],
    ])('reads %s from the file that its _FILE setting names', (name, secret) => {
      writeFileSync(path, `${secret}\n`);
      const read = readEnvironment({ [`${name}_FILE`]: path });
      expect({ ...read }).toEqual({ ...readEnvironment({}), [`${name}_FILE`]: path, [name]: secret });
      expect(() => readEnvironment({ [`${name}_FILE`]: path, [name]: secret })).toThrow(`${name}_FILE: `);
    });

    it.each<[string, Record<string, string>]>([
      ['a short token', { KALENDS_ADMIN_TOKEN_FILE: path }],
      ['no such file', { KALENDS_ADMIN_TOKEN_FILE: `${path}-not` }],
      ['the token beside it', { KALENDS_ADMIN_TOKEN_FILE: path, KALENDS_ADMIN_TOKEN: token }],
    ])('fails for %s and quotes no secret', (_, source) => {
      writeFileSync(path, 'hush');
      const reading = () => readEnvironment(source);
      expect(reading).toThrow(/^KALENDS_ADMIN_TOKEN(_FILE)?: /m);
      expect(reading).not.toThrow(/hush|a-token/);
    });
  });
});
