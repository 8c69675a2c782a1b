import { Input } from '../platform/http/fields/input.js';
import { Context, Disconnected } from '../platform/http/param-decorators.js';
import type { Reply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { Lists, ResourceController } from '../platform/http/routing/route-decorators.js';
import { ChangeParams } from './change.params.js';
import { ChangePageResponse } from './changes.response.js';
import { ChangesService } from './changes.service.js';

@ResourceController('changes', 'Changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Lists({
    id: 'listChanges',
    summary: 'List what has changed, to keep a copy',
    description:
      'Without `since` it returns all records, then everything that has changed since the token, deletions included. ' +
      'Each record comes once, with its newest state. `next_since` of the response is `since` of the next request; ' +
      'with `wait` the response comes with the next change.',
    accepts: ChangeParams,
    answers: ChangePageResponse,
    errors: ['changes-token-expired'],
  })
  list(
    @Input() input: Input<ChangeParams>,
    @Context() context: RequestContext,
    @Disconnected() disconnected: AbortSignal,
  ): Promise<Reply> {
    return this.changes.list(input, context, disconnected);
  }
}
