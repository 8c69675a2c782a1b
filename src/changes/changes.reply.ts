import { addSeconds } from '../kernel/time/calendar-arithmetic.js';
import { NEVER_EXPIRES, type Reply, replyOf } from '../platform/http/reply.js';
import { filtersOf } from '../platform/http/responses/collection-reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { CHANGE_FILTERS, type ChangeParams, sizeOf } from './change.params.js';
import { writeToken } from '../database/cache/change-token.js';
import { type ChangeAnswer, TOKEN_RENEWAL_SECONDS } from './changes.reader.js';

/** When a program that may not wait should ask again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** How a request waited for the answer. `refused`: it had to wait, but must come again. */
export type Waited = 'no' | 'yes' | 'refused';

/** Returns the envelope of the changes, with the members in the order of changes section 1. */
export function changesReply(
  answer: ChangeAnswer,
  params: ChangeParams,
  waited: Waited,
  context: RequestContext,
): Reply {
  const { changes, next, hasMore } = answer;
  const link = linkOf(params, context);
  const since = writeToken(next);
  const nextUrl = hasMore ? link(since) : undefined;
  return replyOf({
    body: {
      changes,
      rest_url: link(params.since),
      ...(nextUrl === undefined ? {} : { next_rest_url: nextUrl }),
      next_since: since,
      has_more: hasMore,
    },
    list: 'changes',
    ...(waited === 'no' && answer.lagSeconds === undefined ? { expiresAt: expiryOf(answer, since, params) } : {}),
    headers: {
      ...(nextUrl === undefined ? {} : { Link: `<${nextUrl}>; rel="next"` }),
      ...(answer.lagSeconds === undefined ? {} : { 'X-Kalends-Changes-Lag': String(answer.lagSeconds) }),
      ...(waited === 'refused' ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}),
      // changes rule 10
      ...(waited === 'no' ? {} : { 'Cache-Control': 'private, no-store' }),
    },
  });
}

/** An answer with the token of the request expires when that token is renewed. */
function expiryOf({ next }: ChangeAnswer, since: string, params: ChangeParams): string {
  return since === params.since ? addSeconds(next.issuedUtc, TOKEN_RENEWAL_SECONDS) : NEVER_EXPIRES;
}

/** Returns a function that returns the address of the same query behind a token. */
function linkOf(params: ChangeParams, { urls, site, fields }: RequestContext): (since: string | undefined) => string {
  const further = filtersOf(params, ['types', ...CHANGE_FILTERS, 'records']);
  return (since) => {
    const pairs: [string, string][] = [
      ['per_page', String(sizeOf(params, site.maxPerPage))],
      ...(since === undefined ? [] : [['since', since] as [string, string]]),
      ...further,
      ...(fields.length > 0 ? [['_fields', fields.join(',')] as [string, string]] : []),
    ];
    return `${urls.collection('changes')}/?${new URLSearchParams(pairs).toString()}`;
  };
}
