import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, Length, Matches, MinLength, validateSync } from '../errors/class-validator.js';
import { OperatorError } from '../errors/operator-error.js';
import {
  hasHttpScheme,
  IsAddressList,
  IsOnDisk,
  IsPath,
  IsPublicUrl,
  IsRedisUrl,
  IsZone,
  Csv,
  Flag,
  TrimSlash,
  Whole,
} from './setting-decorators.js';
import { IsCssFile, IsLinkList, IsLogoFile, IsRegion } from './page-settings.js';
import { secretsInFiles } from './secret-files.js';

/** A duration of RFC 5545 above zero, in weeks, or in days, hours and minutes. */
const ICAL_DURATION = /^P(?=.*[1-9])(?:\d{1,4}W|(?=\d|T\d)(?:\d{1,5}D)?(?:T(?=\d)(?:\d{1,5}H)?(?:\d{1,5}M)?)?)$/;

/**
 * All settings of the service. An unset or empty variable has its default. A wrong value stops the start.
 * A line `// Part:` begins a part of docs/configuration.md.
 */
export class Environment {
  // Part: Serving

  /** TCP port of the service. */
  @Whole(0, 65535)
  PORT: number = 3000;

  /** IP address the service listens on. Unset: all addresses. */
  @IsOptional()
  HOST?: string;

  /** TCP port of `/metrics` for Prometheus. Clients must not reach it. 0: any free port. Unset: no metrics. */
  @IsOptional()
  @Whole(0, 65535)
  METRICS_PORT?: number;

  /** Number of worker processes, which share PORT. `auto`: one for each processor core. */
  @Matches(/^(auto|[1-9]\d?)$/, { message: 'must be `auto` or 1 to 99' })
  WORKERS: string = '1';

  /** Base URL of an OpenTelemetry collector for traces, such as `http://collector:4318`. Unset: no traces. */
  @IsOptional()
  @IsPublicUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** URL for traces, used unchanged instead of the base URL. */
  @IsOptional()
  @IsPublicUrl()
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  /** Switches traces off: `on` or `off`. `true` and `false`, the values of the OpenTelemetry standard, work as well. */
  @Flag()
  OTEL_SDK_DISABLED: boolean = false;

  // Part: Database

  /** Database: `sqlite:PATH`, or `mysql://user:password@host:port/database` for MySQL and MariaDB. */
  @Matches(/^(sqlite:.+|mysql:\/\/[^/]+\/[^/?]+(\?.*)?)$/, {
    message: 'must be sqlite:PATH or mysql://user:password@host:port/database',
  })
  @IsOnDisk()
  DATABASE_URL: string = 'sqlite:./data/kalends.sqlite';

  /** Durability of SQLite. `full`: every commit is flushed to disk. `normal`: a power failure may lose the last commits. */
  @IsIn(['full', 'normal'])
  SQLITE_SYNCHRONOUS: 'full' | 'normal' = 'full';

  /** File with the password of the database server. It overrides a password in DATABASE_URL. */
  @IsOptional()
  DATABASE_PASSWORD_FILE?: string;

  // Part: First start

  /** Token of the administrator who is created at the first start, at least 32 characters. Unset: a random token, in a file beside the database. */
  @IsOptional()
  @MinLength(32)
  KALENDS_ADMIN_TOKEN?: string;

  /** File with the token, instead of KALENDS_ADMIN_TOKEN. */
  @IsOptional()
  KALENDS_ADMIN_TOKEN_FILE?: string;

  // Part: Addresses

  /** Path before the canonical mount, such as `/api`. */
  @TrimSlash()
  @IsPath()
  BASE_PATH: string = '';

  /** Additional mounts of the same routes, comma-separated. `none` or an empty value: no additional mounts. */
  @Csv()
  @IsPath({ each: true })
  COMPAT_MOUNTS: string[] = ['/wp-json/tribe/events/v1'];

  /** Language prefixes of every mount, comma-separated. The first is the default language. */
  @Csv()
  @IsIn(['en', 'de', 'fr'], { each: true, message: 'must be a list of en, de, fr' })
  LANGUAGES: string[] = ['en', 'de', 'fr'];

  /** Base URL for links, `scheme://host[:port][/prefix]`. Unset: the URL of the request. */
  @IsOptional()
  @TrimSlash()
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /** IP addresses or CIDR ranges of the gateway, comma-separated. X-Forwarded-* headers of others are ignored. */
  @Csv()
  @IsAddressList()
  TRUST_PROXY: string[] = [];

  /** Hosts whose responses may be cached, comma-separated. Unset: localhost, loopback, the hosts of PUBLIC_URL and SITE_URL. */
  @IsOptional()
  @Csv()
  ALLOWED_HOSTS?: string[];

  // Part: The calendar

  /** Base URL of the pages for people. Unset: PUBLIC_URL, else the origin of the request. */
  @IsOptional()
  @TrimSlash()
  @IsPublicUrl()
  SITE_URL?: string;

  /** Name of the calendar. Unset: the host of SITE_URL, else of PUBLIC_URL, else Kalends. */
  @IsOptional()
  @Length(1, 200)
  SITE_NAME?: string;

  /** Time zone of the site: an IANA name, or a fixed offset such as `UTC+2`. */
  @IsZone()
  SITE_TIMEZONE: string = 'UTC';

  /** Whether the service shows pages for people: `on` or `off`. `auto`: while SITE_URL is unset, because another website has the pages otherwise. */
  @IsIn(['auto', 'on', 'off'])
  PAGES: 'auto' | 'on' | 'off' = 'auto';

  /** File of the logo on the pages: SVG, PNG or WebP of at most 100 kB, shown 32 px high. Unset: the mark of Kalends. */
  @IsOptional()
  @IsLogoFile()
  SITE_LOGO?: string;

  /** Whether SITE_NAME stands beside the logo: `on` or `off`. */
  @Flag()
  SITE_NAME_SHOWN: boolean = true;

  /** CSS file of at most 64 kB for the pages, in UTF-8. It comes after the style sheet of the service. */
  @IsOptional()
  @IsCssFile()
  SITE_CSS?: string;

  /** Links in the footer of the pages, comma-separated, such as `Imprint=https://example.com/imprint`. At most 8. */
  @Csv()
  @IsLinkList()
  SITE_LINKS: string[] = [];

  /** Country of date formats and of the first weekday on the pages, by its two letters, such as GB or US. */
  @IsRegion()
  SITE_REGION: string = 'GB';

  /** Origins whose pages may show `/embed/` in a frame, comma-separated. `*`: all. `none` or an empty value: no origins. */
  @Csv()
  @Matches(hasHttpScheme, {
    each: true,
    message: 'must be *, none or a list of origins such as https://app.example.com',
  })
  EMBED_ORIGINS: string[] = ['*'];

  /** Maximum of `per_page`. A larger value is lowered to it. */
  @Whole(1, 10_000)
  MAX_PER_PAGE: number = 100;

  /** Whether there are iCalendar feeds, and addresses to subscribe on the pages: `on` or `off`. */
  @Flag()
  FEEDS: boolean = true;

  /** How many days before today the iCalendar feed begins, unless a request gives dates. */
  @Whole(0, 36_500)
  ICAL_PAST: number = 30;

  /** Maximum of events in an iCalendar feed. Of more events, the earliest are in it. */
  @Whole(1, 20_000)
  ICAL_MOST: number = 5000;

  /** How often calendar programs should ask for a feed again, as an iCalendar duration of whole minutes. */
  @Matches(ICAL_DURATION, { message: 'must be a duration such as PT1H, PT15M or P1D' })
  ICAL_REFRESH: string = 'PT1H';

  /** Currency symbol of costs without a symbol of their own. */
  @Length(1, 10)
  CURRENCY_SYMBOL: string = '$';

  /** ISO 4217 currency code in `json_ld` for costs without a symbol of their own. */
  @Matches(/^[A-Z]{3}$/, { message: 'must be three capital letters' })
  CURRENCY_CODE: string = 'USD';

  /** Position of CURRENCY_SYMBOL: before or after the number. */
  @IsIn(['prefix', 'postfix'])
  CURRENCY_POSITION: 'prefix' | 'postfix' = 'prefix';

  // Part: Requests and responses

  /** Origins of web pages that may call the service, comma-separated. Named origins read and write; `*` lets all others read. `none`: no origins. */
  @Csv()
  @Matches(hasHttpScheme, {
    each: true,
    message: 'must be *, none or a list of origins such as https://app.example.com',
  })
  CORS_ORIGINS: string[] = ['*'];

  /** Compression (gzip) of responses of 1,024 bytes or more: `on` or `off`. */
  @Flag()
  COMPRESSION: boolean = true;

  /** Whether the service downloads an image once to learn its size when its URL is stored: `on` or `off`. */
  @Flag()
  IMAGE_PROBE: boolean = false;

  /** Maximum size of a request body in bytes. Larger bodies get 413. */
  @Whole(1024, 16 * 1024 * 1024)
  MAX_BODY_BYTES: number = 1_048_576;

  /** Maximum size of a description or excerpt, in bytes of its JSON as stored. Larger texts get 400. */
  @Whole(1024, 16 * 1024 * 1024)
  MAX_TEXT_BYTES: number = 262_144;

  /** Maximum of bytes that the request bodies of a process take in memory, then 503. Requests without credentials get half of it, one client an eighth, each at least twice MAX_BODY_BYTES. */
  @Whole(1024)
  MAX_BODIES_IN_FLIGHT_BYTES: number = 67_108_864;

  /** Maximum of bytes that unsent responses of a process take in memory, then 503. A larger response is sent while there is no other. */
  @Whole(1048576)
  MAX_ANSWERS_IN_FLIGHT_BYTES: number = 67_108_864;

  // Part: Webhooks

  /** Whether the service sends webhooks: `on` or `off`. Off: their routes do not exist. */
  @Flag()
  WEBHOOKS: boolean = true;

  /** Whether webhooks may have http addresses, too, whose messages everybody on the way can read: `on` or `off`. */
  @Flag()
  WEBHOOK_HTTP: boolean = false;

  /** IP addresses or CIDR ranges of receivers that are not on the internet, comma-separated, such as `10.0.0.0/8`. */
  @Csv()
  @IsAddressList()
  WEBHOOK_NETWORKS: string[] = [];

  /** URL of an HTTP proxy for webhooks, such as `http://proxy:3128`. Unset: no proxy, whatever HTTP_PROXY says. */
  @IsOptional()
  @IsPublicUrl()
  WEBHOOK_PROXY?: string;

  /** Maximum of webhooks. */
  @Whole(1, 1000)
  WEBHOOK_MOST: number = 50;

  // Part: Cache and search

  /** Capacity of each cache of a process, in rows and responses. Every 500 characters count as one more. 0: no cache. */
  @Whole(0, 1_000_000)
  CACHE_ENTRIES: number = 20_000;

  /** Maximum age in seconds of cached results after another process has written. 0: always current. */
  @Whole(0, 3600)
  CACHE_STALENESS: number = 0;

  /** Whether each process has an index of all events in memory, from which it reads lists and counts: `on` or `off`. */
  @Flag()
  INDEX: boolean = true;

  /** Number of events from which a search index is built. 0: never. */
  @Whole(0)
  SEARCH_INDEX_FROM: number = 10_000;

  // Part: Timeouts of the database

  /** Maximum database time of a read request in seconds, including the wait for a connection. Then 503. */
  @Whole(1, 3600)
  DATABASE_READ_TIMEOUT: number = 3;

  /** Maximum database time of a write request in seconds, including the wait for a connection. Then 503. */
  @Whole(1, 3600)
  DATABASE_WRITE_TIMEOUT: number = 5;

  // Part: Limits

  /** Maximum of wrong credentials per minute and client (IPv6: /64 network), and of wrong event passwords per minute and network (IPv6: /48). Then 429. */
  @Whole(1)
  FAILED_ATTEMPTS: number = 10;

  /** Maximum of requests per caller, such as `600/60` for 600 in 60 seconds. A caller is a user, or the IP address of a client without credentials. Unset: no maximum. */
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}\/[1-9]\d{0,4}$/, { message: 'must be REQUESTS/SECONDS, such as 600/60' })
  RATE_LIMIT?: string;

  /** Maximum of requests of `/changes` that wait for a change in each process. Further ones are answered at once. 0: none waits. */
  @Whole(0, 100_000)
  CHANGES_WAITERS: number = 1000;

  /** Redis server through which instances share their limits, `redis://[user]:password@host:port/number`. Unset: each instance counts alone. */
  @IsOptional()
  @IsRedisUrl()
  REDIS_URL?: string;

  /** File with the URL, instead of REDIS_URL, because the URL contains a password. */
  @IsOptional()
  REDIS_URL_FILE?: string;

  /** Prefix of all keys in Redis. Services with one Redis server need different prefixes if they do not share limits. */
  @Matches(/^[\w:.-]{0,64}$/, { message: 'must be up to 64 letters, digits and the characters _ : . -' })
  REDIS_PREFIX: string = 'kalends:';

  // Part: Connections

  /** Maximum time in seconds in which a client sends the headers of a request. */
  @Whole(1, 3600)
  HEADERS_TIMEOUT: number = 5;

  /** Maximum time in seconds in which a client sends a whole request, and in which it receives each 256 KiB of a response. */
  @Whole(1, 3600)
  REQUEST_TIMEOUT: number = 15;

  /** Time in seconds after which an idle connection closes. It must be longer than that of the gateway. */
  @Whole(1, 3600)
  KEEP_ALIVE_TIMEOUT: number = 65;

  /** Maximum of open connections of each process. Further connections are closed at once. */
  @Whole(1)
  MAX_CONNECTIONS: number = 5000;

  // Part: Stopping

  /** Time in seconds in which a stopping instance still takes requests, so that gateways notice the stop. */
  @Whole(0, 600)
  SHUTDOWN_DELAY: number = 1;

  /** Time in seconds that a stopping instance then waits for open requests and a migration. */
  @Whole(0, 600)
  SHUTDOWN_TIMEOUT: number = 10;

  // Part: Log

  /** Minimum level of log lines: debug, info, warn, error or silent. */
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL: string = 'info';

  /** Format of the log: `json`, one object a line, or `pretty`, text for people. `auto`: `pretty` on a terminal, else `json`. */
  @IsIn(['auto', 'json', 'pretty'])
  LOG_FORMAT: 'auto' | 'json' | 'pretty' = 'auto';
}

/**
 * Invalid settings, which stop the start. The message has a line for each: the variable, and what it must be. Never its value,
 * which may be secret.
 */
export class InvalidEnvironment extends OperatorError {}

/** Reads and checks all settings. Throws an `InvalidEnvironment` that names every invalid variable. */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const names = settingNames();
  const given = Object.fromEntries(
    names.filter((name) => isGiven(name, source[name])).map((name) => [name, source[name]]),
  );
  const secrets = secretsInFiles(given);
  const environment = plainToInstance(Environment, { ...given, ...secrets.values }, { exposeDefaultValues: true });
  const wrong = validateSync(environment, { stopAtFirstError: true }).map(({ property, constraints = {} }) => {
    const [text = 'is wrong'] = Object.values(constraints);
    return `${property}: ${text.replace(`${property} `, '')}`;
  });
  const lines = [...wrong, ...secrets.problems];
  if (lines.length > 0) throw new InvalidEnvironment(lines.join('\n'));
  return environment;
}

/** Returns the names of all settings. */
export function settingNames(): string[] {
  return [...new Set([...Object.keys(new Environment()), ...OPTIONAL_NAMES])];
}

/** Settings without a default, which a new instance lacks. */
const OPTIONAL_NAMES = [
  'HOST',
  'METRICS_PORT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'DATABASE_PASSWORD_FILE',
  'KALENDS_ADMIN_TOKEN',
  'KALENDS_ADMIN_TOKEN_FILE',
  'PUBLIC_URL',
  'RATE_LIMIT',
  'REDIS_URL',
  'REDIS_URL_FILE',
  'ALLOWED_HOSTS',
  'WEBHOOK_PROXY',
  'SITE_URL',
  'SITE_NAME',
  'SITE_LOGO',
  'SITE_CSS',
];

/** Settings for which an empty value is the empty list instead of unset (contract section 1). */
const LISTS = ['COMPAT_MOUNTS', 'CORS_ORIGINS', 'ALLOWED_HOSTS', 'SITE_LINKS', 'EMBED_ORIGINS'];

function isGiven(name: string, value: string | undefined): boolean {
  return value !== undefined && (value !== '' || LISTS.includes(name));
}

/** Returns the settings of this process. */
export function configuredEnvironment(): Environment {
  return readEnvironment(process.env);
}

/** Returns DATABASE_URL alone, because the column types of the engine are chosen while modules load. */
export function configuredDatabaseUrl(): string {
  return process.env.DATABASE_URL || new Environment().DATABASE_URL;
}
