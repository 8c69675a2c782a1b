import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { Content } from './responses/content.js';

/** A successful answer, before it is sent (send.ts). */
export interface Reply {
  readonly body: object;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Of a single record: the first part of its ETag (contract 5.2). */
  readonly revision?: number;
  /** Of a single record: the latest change of it or of what it embeds. */
  readonly modifiedUtc?: UtcTime;
  /**
   * Of a read: until when it holds, as long as nothing is committed and no record becomes public by its date. Absent: it is
   * not remembered.
   */
  readonly expiresAt?: UtcTime;
  /** Which members `_fields` selects from: the whole body, or the items of a collection's list. */
  readonly list?: string;
  /** A page for people, which is sent in place of the body. */
  readonly html?: string;
  /** A locator that makes this answer a 302. */
  readonly redirect?: string;
}

/** `until` of what depends on no time of day; behind every instant. */
export const NEVER_EXPIRES: UtcTime = '~';

/** A successful answer as it is sent, but for what the request decides: whether it may be kept, and what the client has. */
export interface RenderedReply {
  readonly status: number;
  readonly content: Content;
  readonly type: string;
  /** Of the plain form. */
  readonly tag: string;
  /** Added to the `Vary` of every answer. */
  readonly vary?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Until when it holds; absent: it is not kept. */
  readonly expiresAt?: UtcTime;
}
