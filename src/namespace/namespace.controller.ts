import { type Reply, replyOf } from '../platform/http/reply.js';
import { Context, RequestBaseUrl } from '../platform/http/param-decorators.js';
import { RawText } from '../platform/http/fields/text-fields.js';
import { NAMESPACE } from '../config/mounts.js';
import { Describes, ResourceController } from '../platform/http/routing/route-decorators.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { BaseUrl } from '../platform/http/base-url.js';
import { routeIndex } from '../platform/http/routing/route-descriptions.js';
import { RouteTable } from '../platform/http/routing/route-table.js';
import { IndexResponse } from './index.response.js';

const untyped = { type: undefined } as const;

/** Parameters that are accepted with any value and have no effect (contract 13.4). */
class IndexParams {
  @RawText('the namespace', { max: Infinity, ...untyped, default: NAMESPACE, example: NAMESPACE }) namespace?: string;
  @RawText('the scope of the request', { max: Infinity, ...untyped, default: 'view', example: 'view' })
  context?: string;
}

@ResourceController('', 'Service')
export class NamespaceController {
  constructor(private readonly routes: RouteTable) {}

  @Describes('', {
    id: 'getIndex',
    summary: 'List the routes with their parameters',
    description: 'Returns every route with its methods and parameters, in the form in which WordPress lists routes.',
    accepts: IndexParams,
    answers: IndexResponse,
  })
  read(@RequestBaseUrl() baseUrl: BaseUrl, @Context() context: RequestContext): Reply {
    return replyOf({
      body: routeIndex(this.routes.all(), baseUrl, context),
      headers: { Vary: 'Accept-Language' },
    });
  }
}
