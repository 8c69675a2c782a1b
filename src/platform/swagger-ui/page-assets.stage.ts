import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../kernel/caller.js';
import type { Content } from '../http/content.js';
import type { KalendsRequest } from '../http/request.js';
import { sendTagged } from '../http/send.js';
import type { Stage } from '../http/stage.js';
import { findAsset } from './page-assets.js';

/**
 * Serves the files of the documentation's page below `/doc/assets`. They are no part of the interface, so the table of
 * routes, and with it the index, does not know them; whatever else is asked of such a path is an unknown route.
 */
@Injectable()
export class PageAssetsStage implements Stage {
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const asset = ['GET', 'HEAD'].includes(request.method) ? findAsset(request.routePath ?? '') : undefined;
    if (asset === undefined) return false;
    response.set('Cache-Control', caching(request));
    const { content, contentType: type, digest } = asset;
    const keep = (both: Content) => (asset.content = both);
    return sendTagged(response, 200, content, { type, tag: `"${digest}"`, keep }).then(() => true);
  }
}

/** The address changes with the content; answers under a foreign host are nobody's to keep (contract section 1). */
function caching({ context, root }: KalendsRequest): string {
  const shared = isAnonymous(context.caller) && root.cacheable;
  return shared ? 'public, max-age=31536000, immutable' : 'private, no-store';
}
