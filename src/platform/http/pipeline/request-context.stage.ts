import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../../config/clock.js';
import { Environment } from '../../../config/environment.js';
import { Mounts } from '../../../config/mounts.js';
import { SiteSettings } from '../../../config/site-settings.js';
import { ANONYMOUS } from '../../../kernel/caller.js';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { Log } from '../../observability/log.js';
import { escapeBytes, originForm } from '../../server/request-target.js';
import { apiRootOf, Urls } from '../base-url.js';
import type { KalendsRequest } from '../request.js';
import { AccessLog } from './access-log.js';
import { ForwardedHeaders, UntrustedProxyWarning } from './forwarded-headers.js';
import { isProbe } from './health.stage.js';
import type { Stage } from './stage.js';

/** Sets the request id, the base URL and the headers of every response (contract 5.1). */
@Injectable()
export class RequestContextStage implements Stage {
  private readonly forwardedHeaders: ForwardedHeaders;
  private readonly mounts: Mounts;
  private readonly untrustedProxy: UntrustedProxyWarning;

  constructor(
    private readonly environment: Environment,
    private readonly site: SiteSettings,
    private readonly clock: Clock,
    private readonly accessLog: AccessLog,
    log: Log,
  ) {
    this.forwardedHeaders = new ForwardedHeaders(environment);
    this.mounts = new Mounts(environment);
    this.untrustedProxy = new UntrustedProxyWarning(log);
  }

  handle(request: KalendsRequest, response: Response): boolean {
    // The fast path has begun the requests that it could not answer in the end.
    const isNew = request.nowUtc === undefined;
    const nowUtc = request.nowUtc ?? this.identify(request);
    // The log shows the URL as sent. The stages see it with one spelling for every byte.
    request.url = escapeBytes(request.originalUrl);
    this.locate(request, nowUtc);
    // Probes come every few seconds and would fill the log.
    if (isNew && !isProbe(request)) this.accessLog.follow(request, response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('X-TEC-API-VERSION', 'v1');
    response.setHeader('X-TEC-API-ROOT', `${apiRootOf(request.apiBaseUrl)}/`);
    response.setHeader('Vary', 'Authorization');
    return false;
  }

  /** Begins a request, as `handle` does, before the other stages (fast-path.ts). Returns its time. */
  begin(request: KalendsRequest, response: Response): UtcTime {
    const nowUtc = this.identify(request);
    this.accessLog.follow(request, response);
    return nowUtc;
  }

  /** Returns the names of the headers that decide on the public URL of a request. */
  decisiveHeaders(request: KalendsRequest): readonly string[] {
    return this.forwardedHeaders.decisive(request);
  }

  /** Returns the time of the request. */
  private identify(request: KalendsRequest): UtcTime {
    request.originalUrl = originForm(request.url);
    const sent = request.headers['x-request-id'];
    request.requestId = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : randomUUID();
    const { clientAddress, isUntrusted } = this.forwardedHeaders.client(request);
    if (isUntrusted) this.untrustedProxy.warn(clientAddress);
    request.clientAddress = clientAddress;
    return (request.nowUtc = this.clock.now());
  }

  private locate(request: KalendsRequest, nowUtc: UtcTime): void {
    const { origin, isKnownHost } = this.forwardedHeaders.publicAddress(request);
    const mounted = this.mounts.find(request.path);
    const language =
      mounted?.language ?? negotiateLanguage(request.headers['accept-language'], this.environment.LANGUAGES);
    request.apiBaseUrl = { origin, mount: mounted?.mount ?? this.mounts.canonical, language, isCacheable: isKnownHost };
    request.routePath = mounted?.rest.replace(/\/$/, '');
    request.namespaces = mounted === undefined ? this.mounts.namespacesBelow(request.path) : undefined;
    const urls = new Urls(request.apiBaseUrl, this.site);
    const ifMatch = request.headers['if-match'];
    request.context = {
      caller: ANONYMOUS,
      nowUtc,
      site: this.site,
      urls,
      fields: [],
      ifMatch,
      clientAddress: request.clientAddress,
    };
  }
}

const LANGUAGE_RANGE = /^([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Returns the best of the offered languages for an Accept-Language header. The first is the default. */
export function negotiateLanguage(header: string | undefined, offered: readonly string[]): string {
  const ranges = (header ?? '')
    .split(',', 20)
    .map((range) => LANGUAGE_RANGE.exec(range.trim()))
    .filter((range) => range !== null)
    .map(([, language = '', quality = '1']) => ({ language: language.toLowerCase(), quality: Number(quality) }))
    .filter(({ language, quality }) => quality > 0 && offered.includes(language));
  const best = ranges.toSorted((a, b) => b.quality - a.quality)[0];
  return best?.language ?? offered[0] ?? 'en';
}
