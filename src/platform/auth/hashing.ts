import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = 2 ** 14;
const KEY_BYTES = 32;

/** Returns the stored form of an event password: salt and scrypt key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64')}$${(await derive(password, salt)).toString('base64')}`;
}

/** Whether the password matches the stored form. Compares in constant time. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', key = ''] = stored.split('$');
  const expected = Buffer.from(key, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N: COST }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

/** Returns a new token: 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the stored form of a token. The duration of a lookup by digest reveals nothing about the token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
