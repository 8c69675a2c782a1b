import { plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, Length, Matches, MinLength, validateSync } from 'class-validator';
import {
  hasHttpScheme,
  IsAddressList,
  IsPath,
  IsPublicUrl,
  IsRedisUrl,
  IsZone,
  Csv,
  Flag,
  TrimSlash,
  Whole,
} from './setting-decorators.js';
import { secretsInFiles } from './secret-files.js';

/** Every setting of the service. An unset or empty variable means its default; a wrong one stops the start. */
export class Environment {
  /** TCP port the server listens on. */
  @Whole(0, 65535)
  PORT: number = 3000;

  /** Address the server listens on; unset: all. */
  @IsOptional()
  HOST?: string;

  /** TCP port on which Prometheus finds `/metrics`, to be kept from clients; 0: any free one. Unset: no metrics. */
  @IsOptional()
  @Whole(0, 65535)
  METRICS_PORT?: number;

  /** How many processes serve, with one port; `auto`: one for each processor core. */
  @Matches(/^(auto|[1-9]\d?)$/, { message: 'must be `auto` or 1 to 99' })
  WORKERS: string = '1';

  /** Base address of an OpenTelemetry collector, such as `http://collector:4318`, that gets traces; unset: no traces. */
  @IsOptional()
  @IsPublicUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Address for traces, used as it is, instead of the base address. */
  @IsOptional()
  @IsPublicUrl()
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  /** No traces, wherever they would go: `true` or `false`, as the standard has it, serve as well. */
  @Flag()
  OTEL_SDK_DISABLED: boolean = false;

  /** `sqlite:PATH` or `mysql://user:password@host:port/database` (MySQL and MariaDB). */
  @Matches(/^(sqlite:.+|mysql:\/\/[^/]+\/[^/?]+(\?.*)?)$/, {
    message: 'must be sqlite:PATH or mysql://user:password@host:port/database',
  })
  DATABASE_URL: string = 'sqlite:./data/kalends.sqlite';

  /** Whether each commit of the embedded database is flushed to the disk: `full`; `normal` may lose the last ones in a power cut. */
  @IsIn(['full', 'normal'])
  SQLITE_SYNCHRONOUS: 'full' | 'normal' = 'full';

  /** File that holds the password of the database server; it counts more than one in DATABASE_URL. */
  @IsOptional()
  DATABASE_PASSWORD_FILE?: string;

  /** Token of the administrator that is made on the first start; at least 32 characters. Unset: a random one is shown once. */
  @IsOptional()
  @MinLength(32)
  KALENDS_ADMIN_TOKEN?: string;

  /** File that holds that token, instead of KALENDS_ADMIN_TOKEN. */
  @IsOptional()
  KALENDS_ADMIN_TOKEN_FILE?: string;

  /** Path before the canonical mount, e.g. `/api`. */
  @TrimSlash()
  @IsPath()
  BASE_PATH: string = '';

  /** Further mounts of the same routes, comma-separated. `none` or an empty value: none. */
  @Csv()
  @IsPath({ each: true })
  COMPAT_MOUNTS: string[] = ['/wp-json/tribe/events/v1'];

  /** Language prefixes of every mount; the first is the default language. */
  @Csv()
  @IsIn(['en', 'de', 'fr'], { each: true, message: 'must be a list of en, de, fr' })
  LANGUAGES: string[] = ['en', 'de', 'fr'];

  /** `scheme://host[:port][/prefix]` used in links instead of what the request says. */
  @IsOptional()
  @TrimSlash()
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /** Addresses of the gateway, comma-separated (CIDR allowed); only these may send X-Forwarded-*. */
  @Csv()
  @IsAddressList()
  TRUST_PROXY: string[] = [];

  /** The hosts whose answers may be cached, comma-separated. Unset: localhost, loopback, hosts of PUBLIC_URL and SITE_URL. */
  @IsOptional()
  @Csv()
  ALLOWED_HOSTS?: string[];

  /** Base of the human pages; unset: PUBLIC_URL, else the origin of the request. */
  @IsOptional()
  @TrimSlash()
  @IsPublicUrl()
  SITE_URL?: string;

  /** Name of the calendar, as programs and pages show it; unset: the host of SITE_URL, else of PUBLIC_URL, else Kalends. */
  @IsOptional()
  @Length(1, 200)
  SITE_NAME?: string;

  /** Zone of the site: an IANA name, or a fixed offset such as `UTC+2`. */
  @IsZone()
  SITE_TIMEZONE: string = 'UTC';

  /** The greatest `per_page`. */
  @Whole(1, 10_000)
  MAX_PER_PAGE: number = 100;

  /** Symbol shown with costs that bring none of their own. */
  @Length(1, 10)
  CURRENCY_SYMBOL: string = '$';

  /** ISO 4217 code in `json_ld` of events whose cost names no currency by its symbol. */
  @Matches(/^[A-Z]{3}$/, { message: 'must be three capital letters' })
  CURRENCY_CODE: string = 'USD';

  /** Where CURRENCY_SYMBOL stands. */
  @IsIn(['prefix', 'postfix'])
  CURRENCY_POSITION: 'prefix' | 'postfix' = 'prefix';

  /** Origins that web pages may call from, comma-separated: those named read and write, with `*` all others read; `none`. */
  @Csv()
  @Matches(hasHttpScheme, {
    each: true,
    message: 'must be *, none or a list of origins such as https://app.example.com',
  })
  CORS_ORIGINS: string[] = ['*'];

  /** Answers of 1,024 bytes or more are sent gzipped to clients that take it: `on` or `off`. */
  @Flag()
  COMPRESSION: boolean = true;

  /** Fetch image URLs once when they are stored: `on` or `off`. */
  @Flag()
  IMAGE_PROBE: boolean = false;

  /** Larger request bodies are refused, in bytes. */
  @Whole(1024, 16 * 1024 * 1024)
  MAX_BODY_BYTES: number = 1_048_576;

  /** Longer descriptions and excerpts are refused, in bytes of their JSON as they would be stored. */
  @Whole(1024, 16 * 1024 * 1024)
  MAX_TEXT_BYTES: number = 262_144;

  /** Bytes of request bodies that each process holds at one time, half of them without credentials, an eighth of one client, each at least twice MAX_BODY_BYTES; then 503. */
  @Whole(1024)
  MAX_BODIES_IN_FLIGHT_BYTES: number = 67_108_864;

  /** Bytes of answers that a process holds until clients have taken them; beyond it 503. A larger answer is sent when no other is under way. */
  @Whole(1048576)
  MAX_ANSWERS_IN_FLIGHT_BYTES: number = 67_108_864;

  /** How many rows and answers each process remembers until the next write, every 500 characters counting as one more; 0: none. */
  @Whole(0, 1_000_000)
  CACHE_ENTRIES: number = 10_000;

  /** How old what is remembered may be when another process has written, in seconds; 0: not at all. */
  @Whole(0, 3600)
  CACHE_STALENESS: number = 0;

  /** How many events there must be for an index of their texts, which speeds up searches; 0: never. */
  @Whole(0)
  SEARCH_INDEX_FROM: number = 10_000;

  /** How long a request that reads may use the database in all, waiting for a connection included, in seconds; then 503. */
  @Whole(1, 3600)
  DATABASE_READ_TIMEOUT: number = 3;

  /** The same for a request that writes. */
  @Whole(1, 3600)
  DATABASE_WRITE_TIMEOUT: number = 5;

  /** Wrong credentials that a client (of IPv6 a /64), and wrong passwords of an event that a network (of IPv6 a /48), may send in a minute. */
  @Whole(1)
  FAILED_ATTEMPTS: number = 10;

  /** Requests that a caller may make within seconds, such as `600/60`: a user, or the address of a client without one. Unset: any number. */
  @IsOptional()
  @Matches(/^[1-9]\d{0,8}\/[1-9]\d{0,4}$/, { message: 'must be REQUESTS/SECONDS, such as 600/60' })
  RATE_LIMIT?: string;

  /** `redis://[user]:password@host:port/number` of a server through which instances share the limits; unset: each has its own. */
  @IsOptional()
  @IsRedisUrl()
  REDIS_URL?: string;

  /** File that holds REDIS_URL, which has a password in it, instead of it. */
  @IsOptional()
  REDIS_URL_FILE?: string;

  /** What the keys in Redis begin with: services that share a server but no limits have different ones. */
  @Matches(/^[\w:.-]{0,64}$/, { message: 'must be up to 64 letters, digits and the characters _ : . -' })
  REDIS_PREFIX: string = 'kalends:';

  /** How long a client may take for the headers of a request, in seconds. */
  @Whole(1, 3600)
  HEADERS_TIMEOUT: number = 5;

  /** How long a client may take for a whole request, its body included, and for each 256 KiB of an answer, in seconds. */
  @Whole(1, 3600)
  REQUEST_TIMEOUT: number = 15;

  /** How long a connection without a request stays open, in seconds; longer than the gateway keeps it. */
  @Whole(1, 3600)
  KEEP_ALIVE_TIMEOUT: number = 65;

  /** Connections at a time to each process; further ones are closed at once. */
  @Whole(1)
  MAX_CONNECTIONS: number = 5000;

  /** How long an instance that is told to stop goes on as before, while gateways learn it, in seconds. */
  @Whole(0, 600)
  SHUTDOWN_DELAY: number = 1;

  /** How long it waits then for requests that are under way, and for a migration, in seconds. */
  @Whole(0, 600)
  SHUTDOWN_TIMEOUT: number = 10;

  /** Least level of the log: debug, info, warn, error or silent. */
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'])
  LOG_LEVEL: string = 'info';
}

/** An invalid setting, which stops the start. The message names the variable, never its value, which may be secret. */
export class InvalidEnvironment extends Error {}

/** Reads and checks all settings. Throws an `InvalidEnvironment` that names every invalid variable. */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const names = Object.keys(new Environment()).concat(OPTIONAL_NAMES);
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
  if (lines.length > 0) throw new InvalidEnvironment(`The configuration is wrong.\n${lines.join('\n')}`);
  return environment;
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
  'SITE_URL',
  'SITE_NAME',
];

/** Settings for which an empty value is the empty list instead of unset (contract section 1). */
const LISTS = ['COMPAT_MOUNTS', 'CORS_ORIGINS', 'ALLOWED_HOSTS'];

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
