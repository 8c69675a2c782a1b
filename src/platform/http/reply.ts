import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Content } from './responses/content.js';

const REPLY = Symbol('reply');

/** A successful response before it is rendered and sent (render.ts, send.ts). `replyOf` makes one. */
export interface Reply extends ReplyParts {
  /** Distinguishes a reply from an object that a handler of a module returns to be sent as JSON. */
  readonly [REPLY]: true;
}

declare const WRITTEN: unique symbol;

/** The reply of a write, as `writeReply` returns it: stored in the transaction of the write if there is an Idempotency-Key. */
export interface WrittenReply extends Reply {
  readonly [WRITTEN]: true;
}

export function replyOf(parts: ReplyParts): Reply {
  return { ...parts, [REPLY]: true };
}

export function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && REPLY in value;
}

export interface ReplyParts {
  readonly body: object;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Revision of a single record: the first part of its ETag (contract 5.2). */
  readonly revision?: number;
  /** Time of the latest change of a single record or of what it embeds. */
  readonly modifiedUtc?: UtcTime;
  /**
   * When the reply of a read expires, if no commit and no scheduled publication comes before. Without it the reply is
   * not cached.
   */
  readonly expiresAt?: UtcTime;
  /**
   * Tells from memory whether a read would give the same reply after later commits, and at a later time. The process must have
   * taken over these commits. Without it a cached reply is dropped at the next commit.
   */
  readonly stillHolds?: StillHolds;
  /** The key of a collection's list, to whose items `_fields` applies. Absent for a single record. */
  readonly list?: string;
  /** An HTML page that is sent in place of the body. */
  readonly html?: string;
  /** A text of another type that is sent in place of the body. */
  readonly text?: TextBody;
  /** The target URL of a redirect: 302, unless `status` is set. */
  readonly redirect?: string;
}

/** Whether a reply is the same at a time, and at the commits that the process knows. */
export type StillHolds = (nowUtc: UtcTime) => boolean;

/** Returns whether all of them hold. undefined if one of them is, because nobody knows then. */
export function allHold(conditions: readonly (StillHolds | undefined)[]): StillHolds | undefined {
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length < conditions.length ? undefined : (nowUtc) => known.every((holds) => holds(nowUtc));
}

/** A text in pieces, between which other requests can be served. */
export interface TextBody {
  /** The Content-Type. */
  readonly type: string;
  readonly pieces: readonly string[];
}

/** `expiresAt` of replies that do not depend on the time. Sorts after every instant. */
export const NEVER_EXPIRES: UtcTime = '~';

/** A rendered response, without the headers that depend on the request (Cache-Control, 304, gzip). */
export interface RenderedReply {
  readonly status: number;
  readonly content: Content;
  readonly type: string;
  /** ETag of the uncompressed form. */
  readonly tag: string;
  /** Added to the `Vary` header of every response. */
  readonly vary?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** See `Reply.expiresAt`. */
  readonly expiresAt?: UtcTime;
  /** See `Reply.stillHolds`. */
  readonly stillHolds?: StillHolds;
}
