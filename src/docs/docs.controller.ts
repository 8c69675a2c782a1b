import { Req } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Mounts } from '../config/mounts.js';
import { type Reply, replyOf } from '../platform/http/reply.js';
import { Context, RequestBaseUrl } from '../platform/http/param-decorators.js';
import { Describes, ResourceController } from '../platform/http/routing/route-decorators.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { KalendsRequest } from '../platform/http/request.js';
import type { BaseUrl } from '../platform/http/base-url.js';
import { apiPage, pageHeaders } from './swagger-ui/api-page.js';
import { ApiDocuments } from './api-documents.js';
import { DocumentResponse } from './document.response.js';

@ResourceController('', 'Service')
export class DocsController {
  private readonly mounts: Mounts;

  constructor(
    private readonly documents: ApiDocuments,
    environment: Environment,
  ) {
    this.mounts = new Mounts(environment);
  }

  @Describes('doc', {
    id: 'getDocumentation',
    summary: 'Describe the service as an OpenAPI document',
    description:
      'Returns the OpenAPI document, and to browsers a page that shows it. ' +
      'A language in the path, such as `/de`, or `Accept-Language` selects its language.',
    answers: DocumentResponse,
    hasPage: true,
  })
  read(@RequestBaseUrl() baseUrl: BaseUrl, @Context() context: RequestContext, @Req() request: KalendsRequest): Reply {
    const headers = { Vary: 'Accept, Accept-Language' };
    if (!prefersPage(request)) return replyOf({ body: this.documents.of(baseUrl, context), headers });
    const location = { ...baseUrl, path: sentPath(request), mounts: this.mounts.inLanguages(baseUrl.mount) };
    return replyOf({ body: {}, html: apiPage(location), headers: { ...headers, ...pageHeaders(location) } });
  }
}

/** Whether the client prefers HTML. Otherwise it gets JSON (contract DOC-07). */
function prefersPage(request: KalendsRequest): boolean {
  return request.accepts(['application/json', 'text/html']) === 'text/html';
}

/** Returns the path as the browser sent it, with its trailing slash. */
function sentPath({ originalUrl }: KalendsRequest): string {
  return originalUrl.split('?', 1)[0] as string;
}
