import type { ReadCache } from '../../database/cache/read-cache.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { Caller } from '../../kernel/caller.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import type { SiteSettings } from '../../config/site-settings.js';
import type { Reply } from './reply.js';
import type { Urls } from './base-url.js';

/** What every service needs to know of a request: who asks, when, under which settings, and how links begin. */
export interface RequestContext {
  readonly caller: Caller;
  /** The moment of the request: one for all that is decided in it. */
  readonly nowUtc: UtcTime;
  readonly site: SiteSettings;
  readonly urls: Urls;
  /** The paths of `_fields`: what a read is reduced to; empty: nothing (contract 5.3). */
  readonly fields: readonly string[];
  /** What is read, where a stage has begun it (response-cache.stage.ts). */
  readonly reading?: ReadCache;
  /** The If-Match header of a write. */
  readonly ifMatch?: string;
  /** Of a write: what its answer names as ignored (ignored-members.interceptor.ts). */
  readonly ignored?: string;
  /** Keeps the answer of a write in its transaction: where there is an Idempotency-Key (contract 5.5). */
  readonly keepAnswer?: (tx: Transaction, answer: Reply) => Promise<void>;
  /** Address of the client, for limits; '' outside HTTP. */
  readonly clientAddress: string;
}
