import { Input } from '../platform/http/fields/input.js';
import { Context, IdParam, MessageParam } from '../platform/http/param-decorators.js';
import type { Reply, WrittenReply } from '../platform/http/reply.js';
import type { RequestContext } from '../platform/http/request-context.js';
import {
  Acts,
  Creates,
  Deletes,
  Lists,
  Reads,
  ResourceController,
  Updates,
} from '../platform/http/routing/route-decorators.js';
import {
  MessageParams,
  ReplayDto,
  WEBHOOK_EXAMPLES,
  WebhookCreation,
  WebhookDto,
  WebhookParams,
} from './webhook.dto.js';
import { WEBHOOK_CALLBACKS } from './webhook.callback.js';
import { WebhookMessagesService } from './webhook-messages.service.js';
import { WebhookMessageResponse, WebhookReplayResponse, WebhookResponse } from './webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

@ResourceController('webhooks', 'Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly messages: WebhookMessagesService,
  ) {}

  @Lists({
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns a page of the webhooks, by id. Only administrators may.',
    accepts: WebhookParams,
    answers: WebhookResponse,
    errors: ['rest_forbidden'],
  })
  list(@Input() input: Input<WebhookParams>, @Context() context: RequestContext): Promise<Reply> {
    return this.webhooks.list(input, context);
  }

  @Creates({
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From now on, or from the token of a copy on, every change is sent to the URL as a signed message (Standard ' +
      'Webhooks). `secret` of this response verifies the signatures; it is shown once.',
    accepts: WebhookCreation,
    answers: WebhookResponse,
    examples: WEBHOOK_EXAMPLES.create,
    callbacks: WEBHOOK_CALLBACKS,
    errors: ['webhook-limit-reached', 'changes-token-expired'],
  })
  create(@Input() input: Input<WebhookCreation>, @Context() context: RequestContext): Promise<WrittenReply> {
    return this.webhooks.create(input, context);
  }

  @Reads(':id', {
    id: 'getWebhook',
    summary: 'Read a webhook',
    description: 'Returns a webhook without its secret. Only administrators may.',
    answers: WebhookResponse,
    errors: ['rest_forbidden'],
  })
  read(@IdParam() id: number, @Context() context: RequestContext): Promise<Reply> {
    return this.webhooks.read(id, context);
  }

  @Updates(':id', {
    id: 'updateWebhook',
    summary: 'Update a webhook',
    description:
      'Changes only the fields that are sent. `active=false` pauses it; `active=true` continues where it stopped and ' +
      'clears its failures.',
    accepts: WebhookDto,
    answers: WebhookResponse,
    examples: WEBHOOK_EXAMPLES.update,
  })
  update(
    @IdParam() id: number,
    @Input() input: Input<WebhookDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.webhooks.update(id, input, context);
  }

  @Deletes(':id', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook for good. Messages that wait are not sent.',
    answers: WebhookResponse,
  })
  remove(
    @IdParam() id: number,
    @Input() input: Input<object>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.webhooks.remove(id, input, context);
  }

  @Acts(':id/rotate', {
    id: 'rotateWebhook',
    summary: 'Give a webhook a new secret',
    description:
      'Returns the webhook with its new secret. For 24 hours messages are signed with both, the new one first.',
    answers: WebhookResponse,
    errors: ['rest-webhook-not-found'],
  })
  rotate(
    @IdParam() id: number,
    @Input() input: Input<object>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.webhooks.rotate(id, input, context);
  }

  @Acts(':id/test', {
    id: 'testWebhook',
    status: 202,
    summary: 'Send a test message',
    description: 'Sends a message of the type `webhook.test`, whatever types the webhook wants.',
    answers: WebhookMessageResponse,
    errors: ['rest-webhook-not-found'],
  })
  test(
    @IdParam() id: number,
    @Input() input: Input<object>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.messages.test(id, input, context);
  }

  @Acts(':id/replay', {
    id: 'replayWebhook',
    status: 202,
    summary: 'Send the messages of a time again',
    description:
      'Sends a message for each change of the time, with the same ids as before. If the change record does not go back ' +
      'so far any more, the answer is 410.',
    accepts: ReplayDto,
    answers: WebhookReplayResponse,
    examples: WEBHOOK_EXAMPLES.replay,
    errors: ['rest-webhook-not-found', 'changes-token-expired'],
  })
  replay(
    @IdParam() id: number,
    @Input() input: Input<ReplayDto>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.messages.replay(id, input, context);
  }

  @Lists(
    {
      id: 'listMessages',
      summary: 'List the messages of a webhook',
      description: 'Returns a page of the messages that wait or were sent, newest first, with their last attempts.',
      accepts: MessageParams,
      answers: WebhookMessageResponse,
      errors: ['rest_forbidden', 'rest-webhook-not-found', 'webhook-archive-page-not-found'],
    },
    ':id/messages',
  )
  listMessages(
    @IdParam() id: number,
    @Input() input: Input<MessageParams>,
    @Context() context: RequestContext,
  ): Promise<Reply> {
    return this.messages.list(id, input, context);
  }

  @Acts(':id/messages/:message/resend', {
    id: 'resendMessage',
    status: 202,
    summary: 'Send a message again',
    description: 'Sends a message again, at once and with the same id, whatever came of it before.',
    answers: WebhookMessageResponse,
    errors: ['rest-webhook-not-found', 'rest-webhook-message-not-found'],
  })
  resend(
    @IdParam() id: number,
    @MessageParam() message: string,
    @Input() input: Input<object>,
    @Context() context: RequestContext,
  ): Promise<WrittenReply> {
    return this.messages.resend(id, message, input, context);
  }
}
