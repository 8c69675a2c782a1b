import { createHash } from 'node:crypto';
import { Problems } from '../../../errors/problems.js';
import { isAnonymous } from '../../../kernel/caller.js';
import type { KalendsRequest } from '../request.js';
import type { KeyedRequest } from './idempotency-keys.js';

const HEADER = 'Idempotency-Key';
const MAX_KEY_CHARACTERS = 255;

/** Returns undefined without a key and for anonymous callers, who may not write. Throws 400 for a malformed key. */
export function readKeyedRequest(request: KalendsRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  checkKey(String(key));
  const { caller } = request.context;
  if (isAnonymous(caller)) return undefined;
  const body = request.rawBody ?? '';
  // Includes capabilities, so that a weaker token of a user never gets the response for a stronger one.
  const fingerprinted = [caller.userId, [...caller.capabilities].sort(), request.sentMethod, request.originalUrl];
  return {
    keyHash: digest(JSON.stringify([caller.userId, key])),
    // Bodies may contain event passwords. The key, which is stored nowhere, makes guessing from the digest impractical.
    fingerprint: digest(JSON.stringify([key, ...fingerprinted]), body),
  };
}

function checkKey(key: string): void {
  const problems = new Problems([HEADER]);
  if (key === '') problems.add(HEADER, 'rest_empty', 'must not be empty.');
  else if (!/^[\x21-\x7e]+$/.test(key)) {
    problems.add(HEADER, 'rest_invalid_type', 'must be text of visible ASCII characters.');
  } else if (key.length > MAX_KEY_CHARACTERS) {
    problems.add(HEADER, 'rest_too_long', `must not be longer than ${MAX_KEY_CHARACTERS} characters.`);
  }
  problems.throwIfAny();
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
