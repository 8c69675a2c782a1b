import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../../../database/database.js';
import type { ReadCache } from '../../../database/cache/read-cache.js';
import { isAnonymous } from '../../../kernel/caller.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import type { RenderedReply } from '../reply.js';
import type { KalendsRequest } from '../request.js';
import { rootUrl } from '../base-url.js';
import { sendRendered } from '../responses/send.js';
import type { Stage } from './stage.js';

/** An answer of which the state of the database says that it holds; the time of day says it, too. */
interface KeptAnswer {
  readonly answer: RenderedReply;
  readonly since: UtcTime;
}

/**
 * Answers reads of anonymous callers with the bytes of an earlier answer that still holds, and has what is answered else
 * remembered. It comes last: whatever the stages before refuse, count and tell is the same either way.
 */
@Injectable()
export class ResponseCacheStage implements Stage {
  constructor(private readonly database: Database) {}

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    if (!isRecallable(request)) return false;
    const reading = await this.begin(request);
    if (reading === undefined) return false;
    const { nowUtc } = request.context;
    const key = keyOf(request);
    const kept = reading.entries.get(key) as KeptAnswer | undefined;
    if (kept !== undefined && nowUtc >= kept.since && nowUtc < (kept.answer.expiresAt ?? kept.since)) {
      // With the form that this client may be the first to ask for.
      request.keep = (answer) => remember(reading, key, { ...kept, answer });
      await sendRendered(response, kept.answer);
      return true;
    }
    request.keep = (answer) => remember(reading, key, { answer, since: nowUtc });
    request.context = { ...request.context, reading };
    return false;
  }

  /** A database that is away is for the handler to tell: it refuses wrong parameters first. */
  private async begin({ context }: KalendsRequest): Promise<ReadCache | undefined> {
    try {
      return await this.database.reading(context);
    } catch {
      return undefined;
    }
  }
}

/** Both forms take room. */
function remember(reading: ReadCache, key: string, kept: KeptAnswer): void {
  reading.store(key, kept, kept.answer.content.weight);
}

/** Answers under a foreign host, and those that a password opens, are nobody else's. */
function isRecallable({ method, matched, context, root, queryValues }: KalendsRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || matched === undefined || matched.describes) return false;
  return isAnonymous(context.caller) && root.cacheable && !('password' in queryValues);
}

/** All that an answer depends on besides the records and the time: under which address it is, and what was asked there. */
function keyOf({ root, routePath = '', url }: KalendsRequest): string {
  const at = url.indexOf('?');
  return `answer ${root.language} ${rootUrl(root)} ${routePath}${at < 0 ? '' : url.slice(at)}`;
}
