import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { PipelineStage, type Stage } from '../../platform/http/pipeline/stage.js';
import type { KalendsRequest } from '../../platform/http/request.js';
import type { Content } from '../../platform/http/responses/content.js';
import { sendTagged } from '../../platform/http/responses/send.js';
import { PageFiles } from './page-files.js';

/** Serves the files of the pages. They do not count against RATE_LIMIT, so that a page costs one request (pages P2). */
@Injectable()
@PipelineStage('before-body')
export class PageFilesStage implements Stage {
  constructor(private readonly files: PageFiles) {}

  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const { page, method, apiBaseUrl } = request;
    if (page?.site.name !== 'file' || !['GET', 'HEAD'].includes(method)) return false;
    const file = this.files.find(page.path);
    if (file === undefined) return false;
    response.removeHeader('Vary');
    const shared = file.isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=86400';
    response.set({
      'Cache-Control': apiBaseUrl.isCacheable ? shared : 'private, no-store',
      // A logo may be an SVG with scripts, which must not run if it is opened by itself.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    const cacheContent = (both: Content) => (file.content = both);
    const { content, type, digest } = file;
    return sendTagged(response, 200, content, { type, tag: `"${digest}"`, cacheContent }).then(() => true);
  }

  isRepeatable(): boolean {
    return true;
  }
}
