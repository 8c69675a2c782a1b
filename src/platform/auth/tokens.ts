import { createHash, randomBytes } from 'node:crypto';

/** A new token: 256 random bits, printable. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. Looking a digest up tells nothing about the token, however long it takes. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
