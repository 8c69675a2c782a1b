import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../kernel/caller.js';
import type { KalendsRequest } from '../http/request.js';
import type { Stage } from '../http/stage.js';
import { findAsset, type PageAsset } from './page-assets.js';

/**
 * Serves the files of the documentation's page below `/doc/assets`. They are no part of the interface, so the table of
 * routes, and with it the index, does not know them; whatever else is asked of such a path is an unknown route.
 */
@Injectable()
export class PageAssetsStage implements Stage {
  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    const asset = ['GET', 'HEAD'].includes(request.method) ? findAsset(request.routePath ?? '') : undefined;
    if (asset === undefined) return false;
    response.set({
      'Content-Type': asset.contentType,
      'Cache-Control': caching(request),
      ETag: `"${asset.digest}"`,
    });
    await send(response, asset);
    return true;
  }
}

/** The address changes with the content; answers under a foreign host are nobody's to keep (contract section 1). */
function caching({ context, root }: KalendsRequest): string {
  const shared = isAnonymous(context.caller) && root.cacheable;
  return shared ? 'public, max-age=31536000, immutable' : 'private, no-store';
}

/** Express knows HEAD, If-None-Match and ranges. */
function send(response: Response, { name, folder }: PageAsset): Promise<void> {
  const options = { root: folder, cacheControl: false, lastModified: false };
  return new Promise((resolve, reject) => {
    response.sendFile(name, options, (error) => (error === undefined ? resolve() : reject(error)));
  });
}
