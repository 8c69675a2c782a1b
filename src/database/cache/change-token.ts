import { createHash } from 'node:crypto';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { fromSeconds, toSeconds } from '../../kernel/time/epoch-seconds.js';
import { CHANGE_TYPES, type ChangeType } from './change-types.js';
import type { ChangePosition, ChangeRecordState } from './recent-changes.js';

/** Where a program stands in the changes (changes rule 7). */
export interface ChangeToken {
  /** The epoch of the database (change-record.entity.ts). */
  readonly epoch: string;
  /** All changes that were visible at this time are behind the position. */
  readonly issuedUtc: UtcTime;
  readonly position: ChangePosition;
  /** The place of a first fill that is not complete: behind this record. Its changes follow from `position` on. */
  readonly walk?: WalkPlace;
  /** Digest of filters, types and the caller's rights. */
  readonly digest: string;
}

/** A place in a first fill. */
export interface WalkPlace {
  readonly type: ChangeType;
  readonly afterId: number;
}

const FORMAT = '1';
/** Lengths in hexadecimal digits. */
const DIGEST_LENGTH = 12;
const CHECK_LENGTH = 8;

/** Writes a token: format, epoch, time, position, walk, digest and checksum. Numbers have base 36. */
export function writeToken({ epoch, issuedUtc, position, walk, digest }: ChangeToken): string {
  const { seq, id } = position;
  const text = [
    FORMAT,
    epoch,
    toSeconds(issuedUtc).toString(36),
    id === undefined ? seq.toString(36) : `${seq.toString(36)}-${id.toString(36)}`,
    walk === undefined ? '' : `${CHANGE_TYPES.indexOf(walk.type)}-${walk.afterId.toString(36)}`,
    digest,
  ].join('.');
  return `${text}.${hexDigest(text, CHECK_LENGTH)}`;
}

const TOKEN =
  /^(?<text>1\.(?<epoch>[\da-f]{0,8})\.(?<issued>[\da-z]{1,9})\.(?<seq>[\da-z]{1,9})(?:-(?<id>[\da-z]{1,9}))?\.(?:(?<type>[0-4])-(?<after>[\da-z]{1,9}))?\.(?<digest>[\da-f]{12}))\.(?<check>[\da-f]{8})$/;

/** Reads a token, or returns undefined for a text that is none, such as a truncated token. */
export function readToken(text: string): ChangeToken | undefined {
  const found = TOKEN.exec(text)?.groups;
  if (found?.text === undefined || found.check !== hexDigest(found.text, CHECK_LENGTH)) return undefined;
  const { epoch = '', issued = '', seq = '', id, type, after = '', digest = '' } = found;
  const number = (digits: string) => parseInt(digits, 36);
  return {
    epoch,
    issuedUtc: fromSeconds(number(issued)),
    position: { seq: number(seq), ...(id === undefined ? {} : { id: number(id) }) },
    ...(type === undefined ? {} : { walk: { type: CHANGE_TYPES[Number(type)]!, afterId: number(after) } }),
    digest,
  };
}

/** Returns why a token has expired, whatever it is about (changes rule 8). undefined: its changes can be read. */
export function expiryOf(
  token: ChangeToken,
  { epoch, version, purgedBeforeUtc }: ChangeRecordState,
): 'age' | 'restored' | undefined {
  if (token.epoch !== epoch || token.position.seq > version) return 'restored';
  return purgedBeforeUtc !== null && token.issuedUtc < purgedBeforeUtc ? 'age' : undefined;
}

/** Returns the digest of what a token depends on. */
export function digestOf(parts: readonly unknown[]): string {
  return hexDigest(JSON.stringify(parts), DIGEST_LENGTH);
}

function hexDigest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
