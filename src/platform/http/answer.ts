import type { UtcTime } from '../../kernel/calendar-time.js';

/** A successful answer, before it is sent (send.ts). */
export interface Answer {
  readonly body: object;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Of a single record: the first part of its ETag (contract 5.2). */
  readonly revision?: number;
  /** Of a single record: the latest change of it or of what it embeds. */
  readonly modifiedUtc?: UtcTime;
  /** Which members `_fields` selects from: the whole body, or the items of a collection's list. */
  readonly list?: string;
  /** A page for people, which is sent in place of the body. */
  readonly html?: string;
  /** A locator that makes this answer a 302. */
  readonly redirect?: string;
}
