import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { nextMidnight } from '../kernel/time/calendar-arithmetic.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { type Reply, replyOf } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' https: http: data:",
  "font-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
];

/** The headers of a page. `frames`: the sources whose pages may show it in a frame. */
export function pageHeaders(frames: readonly string[] = [], scripts: readonly string[] = []): Record<string, string> {
  const ancestors = frames.length === 0 ? "'none'" : frames.join(' ');
  const policy = [...POLICY, ...scripts.map((source) => `script-src ${source}`), `frame-ancestors ${ancestors}`];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
}

export function htmlOf(view: VNode): string {
  return `<!DOCTYPE html>${renderToString(view)}`;
}

/** Returns a page that holds until midnight of the site, or until an earlier time (pages P9). */
export function pageReply(
  view: VNode,
  { nowUtc, site }: RequestContext,
  options: { readonly until?: UtcTime; readonly headers?: Record<string, string> } = {},
): Reply {
  const midnight = nextMidnight(nowUtc, site.timeZone);
  const { until = midnight } = options;
  const expiresAt = until > nowUtc && until < midnight ? until : midnight;
  return replyOf({ body: {}, html: htmlOf(view), expiresAt, headers: { ...pageHeaders(), ...options.headers } });
}

/** Returns a page that is not kept anywhere. */
export function privateReply(view: VNode, status: number): Reply {
  const headers = { ...pageHeaders(), 'Cache-Control': 'private, no-store' };
  return replyOf({ body: {}, html: htmlOf(view), status, headers });
}

/** Returns a file for programs, such as a feed. It holds until midnight of the site. */
export function textReply(type: string, text: string, { nowUtc, site }: RequestContext): Reply {
  const expiresAt = nextMidnight(nowUtc, site.timeZone);
  return replyOf({ body: {}, text: { type, pieces: [text] }, expiresAt });
}

export function redirectReply(redirect: string, status = 302, headers?: Record<string, string>): Reply {
  return replyOf({ body: {}, redirect, status, headers });
}
