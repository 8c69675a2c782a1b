import { createHash } from 'node:crypto';
import { isAnonymous } from '../../kernel/caller.js';
import { Problems } from '../errors/problems.js';
import type { KalendsRequest } from '../http/request.js';

const NAME = 'Idempotency-Key';
const MOST_CHARACTERS = 255;

/** What a repeated request is known by (contract 5.5). */
export interface KeyedRequest {
  readonly keyHash: string;
  readonly fingerprint: string;
}

/** A request with an Idempotency-Key. Anonymous callers, who may not write, have none; a malformed key is refused. */
export function readKeyedRequest(request: KalendsRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  checkKey(String(key));
  const { caller } = request.context;
  if (isAnonymous(caller)) return undefined;
  const body = Buffer.isBuffer(request.body) ? request.body : '';
  // What the token may do belongs to who asks: nobody gets an answer that was made for higher rights.
  const asked = [caller.userId, [...caller.capabilities].sort(), request.sentMethod, request.originalUrl];
  return {
    keyHash: digest(JSON.stringify([caller.userId, key])),
    // Bodies hold passwords of events. The key, which is stored nowhere, keeps their digests from being guessed at.
    fingerprint: digest(JSON.stringify([key, ...asked]), body),
  };
}

function checkKey(key: string): void {
  const problems = new Problems([NAME]);
  if (key === '') problems.add(NAME, 'rest_empty', 'must not be empty.');
  else if (!/^[\x21-\x7e]+$/.test(key)) {
    problems.add(NAME, 'rest_invalid_type', 'must be text of visible ASCII characters.');
  } else if (key.length > MOST_CHARACTERS) {
    problems.add(NAME, 'rest_too_long', `must not be longer than ${MOST_CHARACTERS} characters.`);
  }
  problems.throwIfAny();
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
