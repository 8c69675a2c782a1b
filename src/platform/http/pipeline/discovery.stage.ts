import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { UtcTime } from '../../../kernel/time/calendar-time.js';
import { toSeconds } from '../../../kernel/time/epoch-seconds.js';
import { offsetSeconds } from '../../../kernel/time/utc-offset.js';
import { apiError } from '../../../errors/api-error.js';
import type { KalendsRequest } from '../request.js';
import type { RequestContext } from '../request-context.js';
import { sendReply } from '../responses/send.js';
import type { Stage } from './stage.js';

const ALLOW = 'GET, HEAD, OPTIONS';

/** Answers clients that look for namespaces above a compatibility mount (contract 1.1). */
@Injectable()
export class DiscoveryStage implements Stage {
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const { namespaces, method, context } = request;
    if (namespaces === undefined) return false;
    if (!ALLOW.split(', ').includes(method)) {
      throw apiError('rest_no_route', { status: 405, headers: { Allow: ALLOW } });
    }
    if (method === 'OPTIONS') response.setHeader('Allow', ALLOW);
    const body = method === 'OPTIONS' ? entryOf(request) : indexOf(namespaces, context);
    return sendReply(response, { body }).then(() => true);
  }
}

function indexOf(namespaces: readonly string[], { nowUtc, site, urls }: RequestContext): object {
  return {
    name: site.name,
    description: '',
    url: urls.site,
    home: urls.site,
    gmt_offset: hoursFromUtc(site.timeZone, nowUtc),
    timezone_string: /^UTC[+-]/.test(site.timeZone) ? '' : site.timeZone,
    namespaces,
    authentication: {},
    routes: {},
  };
}

/** Has the form of a route's description (route-descriptions.ts). */
function entryOf({ apiBaseUrl, path }: KalendsRequest): object {
  return {
    namespace: '',
    methods: ['GET'],
    endpoints: [{ methods: ['GET'], args: {} }],
    _links: { self: [{ href: `${apiBaseUrl.origin}${path.replace(/\/$/, '')}/` }] },
  };
}

function hoursFromUtc(zone: string, atUtc: UtcTime): number {
  return offsetSeconds(zone, toSeconds(atUtc)) / 3600;
}
