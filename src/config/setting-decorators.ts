import { BlockList, isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min, ValidateBy, type ValidationOptions } from '../errors/class-validator.js';
import { isUrl, withoutEndSlashes } from '../kernel/text/url.js';
import { parseTimeZone } from '../kernel/time/time-zone.js';

/** Matches `*` or an origin without a path. */
export const hasHttpScheme = /^(\*|https?:\/\/[^/\s]+)$/;

/** Splits a comma-separated value. `none` and an empty value are the empty list. */
function list(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '' && item !== 'none');
}

/** Returns a block list of addresses and networks (CIDR). */
export function addressList(items: readonly string[]): BlockList {
  const addresses = new BlockList();
  for (const item of items) {
    const [address = '', bits] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) addresses.addAddress(address, family);
    else addresses.addSubnet(address, Number(bits), family);
  }
  return addresses;
}

export const IsPath = (options?: ValidationOptions) =>
  check('isPath', isPath, 'must be a path such as /api, without blanks', options);

export const IsPublicUrl = () =>
  check('isPublicUrl', isPublicUrl, 'must be scheme://host[:port][/prefix] with http or https');

export const IsAddressList = () =>
  check('isAddressList', isAddressList, 'must be a list of IP addresses or networks; true and * are not allowed');

export const IsRedisUrl = () =>
  check('isRedisUrl', isRedisUrl, 'must be redis://[user]:password@host:port/number, or rediss:// for TLS');

export const IsOnDisk = () =>
  check(
    'isOnDisk',
    isOnDisk,
    'must name a file: a database in memory cannot be shared. Try sqlite:/dev/shm/kalends.sqlite',
  );

export const IsZone = () => check('isZone', isSiteZone, 'is not a known time zone');

/** Declares a check of a setting. `text` completes a sentence that begins with its name: `must be …`. */
export function check(
  name: string,
  validate: (value: unknown) => boolean,
  text: string,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate, defaultMessage: () => text } }, options);
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(value));
}

function isPublicUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(value) && isUrl(value);
}

/** SQLite takes an empty name, too, for a database that one connection has in memory or in a temporary file. */
function isOnDisk(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('sqlite:')) return true;
  return !['', ':memory:'].includes(value.slice('sqlite:'.length).trim());
}

const REDIS_URL = /^rediss?:\/\/([^\s/?#@]*@)?(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?(\/\d{0,4})?$/i;

/** Whether the Redis client can parse a URL: a valid port and complete percent escapes. */
function isRedisUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !REDIS_URL.test(value) || !isUrl(value)) return false;
  const { port, username, password } = new URL(value);
  return port !== '0' && [username, password].every(isPercentDecodable);
}

function isPercentDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isAddressList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isAddress(String(item)));
}

function isAddress(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
}

function isSiteZone(value: unknown): boolean {
  return typeof value === 'string' && parseTimeZone(value) !== undefined;
}

/** A comma-separated list. */
export const Csv = () => text(list);

/** A URL or a path, without trailing slashes. */
export const TrimSlash = () => text(withoutEndSlashes);

/** An integer within bounds. */
export const Whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(text(Number), IsInt({ message: 'must be a whole number' }), Min(min), Max(max));

/** `on` or `off`, or one of their synonyms. */
export const Flag = () =>
  applyDecorators(
    text((value) => FLAGS[value.toLowerCase()] ?? value),
    IsBoolean({ message: 'must be on or off' }),
  );

const FLAGS: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  '1': true,
  off: false,
  false: false,
  no: false,
  '0': false,
};

/** Parses variables, which are text. Defaults have their type already. */
function text(read: (value: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));
}
