import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Content } from './responses/content.js';

const REPLY = Symbol('reply');

/** A successful response before it is rendered and sent (render.ts, send.ts). `replyOf` makes one. */
export interface Reply extends ReplyParts {
  /** Distinguishes a reply from an object that a handler of a module returns to be sent as JSON. */
  readonly [REPLY]: true;
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
  /** The key of a collection's list, to whose items `_fields` applies. Absent for a single record. */
  readonly list?: string;
  /** An HTML page that is sent in place of the body. */
  readonly html?: string;
  /** The target URL of a 302 redirect. */
  readonly redirect?: string;
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
}
