import { apiError } from '../platform/errors/api-error.js';

const PASSWORD_HASH = /^scrypt\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/;

/** The event password of a line as it is stored: an export knows no other form of it. */
export function passwordHashOf({ password_hash: hash }: Record<string, unknown>): string | undefined {
  if (hash === undefined || (typeof hash === 'string' && PASSWORD_HASH.test(hash))) return hash;
  const text = 'password_hash is not a stored password.';
  throw apiError('rest_invalid_param', {
    params: { names: 'password_hash' },
    data: { params: { password_hash: text } },
  });
}
