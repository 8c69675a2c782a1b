import type { ReadCache } from '../../database/cache/read-cache.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { Caller } from '../../kernel/caller.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { SiteSettings } from '../../config/site-settings.js';
import type { Reply } from './reply.js';
import type { Urls } from './base-url.js';

/** What services need from a request: caller, time, settings and URLs. */
export interface RequestContext {
  readonly caller: Caller;
  /** The time of the request, the same for every decision in it. */
  readonly nowUtc: UtcTime;
  readonly site: SiteSettings;
  readonly urls: Urls;
  /** The paths of `_fields` (contract 5.3); empty: all members. */
  readonly fields: readonly string[];
  /** The read cache, if a stage has opened it (response-cache.stage.ts). */
  readonly cachedReads?: ReadCache;
  /** The If-Match header of a write. */
  readonly ifMatch?: string;
  /** The X-Kalends-Ignored header of a write (ignored-members.interceptor.ts). */
  readonly ignored?: string;
  /** Stores the reply in the transaction of the write. Set if there is an Idempotency-Key (contract 5.5). */
  readonly storeReply?: (tx: Transaction, reply: Reply) => Promise<void>;
  /** IP address of the client, for rate limits; '' outside HTTP. */
  readonly clientAddress: string;
}
