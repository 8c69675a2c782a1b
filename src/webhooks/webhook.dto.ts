import type { BodyExample } from '../platform/http/operation.js';
import { Choices } from '../platform/http/fields/list-fields.js';
import { PageNumber, PageSize } from '../platform/http/fields/page-fields.js';
import { RawText, Text, WebAddress } from '../platform/http/fields/text-fields.js';
import { Choice, Flag, Int, WireDate } from '../platform/http/fields/value-fields.js';
import { MESSAGE_STATES, type MessageState } from './webhook-message.entity.js';
import { AUDIENCES, type Audience, TYPE_WORDS } from './webhook.types.js';

const MAX_TOKEN_CHARACTERS = 200;
/** `from` of a webhook that begins with the present. */
export const NOW = 'now';

/** The accepted fields of a webhook (webhooks section 1). */
export class WebhookDto {
  @WebAddress('where messages are sent: an https URL without user, password and fragment', {
    required: true,
    whenEmpty: 'refuse',
    example: 'https://receiver.example/hooks',
  })
  url?: string;
  @Text('a note for administrators', { max: 500, example: 'The city portal' }) description?: string | null;
  @Choices('the types of messages; default: all', {
    words: TYPE_WORDS,
    type: 'array',
    forms: [{ type: 'string' }],
    example: ['event.*'],
  })
  types?: string[] | null;
  @Choice('whose view it gets: that of anonymous readers, or everything', {
    words: AUDIENCES,
    default: 'public',
    whenEmpty: 'refuse',
  })
  audience?: Audience;
  @Choice('whether messages contain the record, or only its address', {
    words: ['thin', 'record'],
    default: 'thin',
    whenEmpty: 'refuse',
  })
  payload?: 'thin' | 'record';
  @Flag('false pauses it; true again clears its failures', { default: true, whenEmpty: 'refuse' }) active?: boolean;
}

/** The same with the field that only a create has. */
export class WebhookCreation extends WebhookDto {
  @RawText('where it begins: now, or a next_since of /changes', {
    max: MAX_TOKEN_CHARACTERS,
    default: NOW,
    example: NOW,
  })
  from?: string;
}

export class WebhookParams {
  @PageNumber('the page to return') page?: number;
  @PageSize('webhooks per page') per_page?: number;
}

/** The parameters of GET /webhooks/{id}/messages. */
export class MessageParams {
  @PageNumber('the page to return') page?: number;
  @PageSize('messages per page') per_page?: number;
  @Choices('only messages in these states', { words: MESSAGE_STATES }) state?: MessageState[];
  @RawText('only messages of this type', { max: 30, example: 'event.updated' }) type?: string;
  @Int('only messages about the record with this id') record_id?: number;
}

/** The parameters in links of the messages, in the order of the table. */
export const MESSAGE_FILTERS = ['state', 'type', 'record_id'] as const satisfies readonly (keyof MessageParams)[];

/** The fields of POST /webhooks/{id}/replay. */
export class ReplayDto {
  @WireDate('changes made at this time or later, in the time zone of the site', { required: true })
  from?: string | number;
  @WireDate('changes made at this time or earlier; default: now') to?: string | number;
}

/** Example bodies for the OpenAPI document. */
export const WEBHOOK_EXAMPLES: Record<'create' | 'update' | 'replay', Record<string, BodyExample>> = {
  create: {
    short: { summary: 'as little as possible', value: { url: 'https://receiver.example/hooks' } },
    full: {
      summary: 'with what there is to say',
      value: {
        url: 'https://receiver.example/hooks',
        description: 'The city portal',
        types: ['event.*', 'venue.updated'],
        audience: 'public',
        payload: 'thin',
        active: true,
        from: NOW,
      },
    },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { active: false } } },
  replay: { change: { summary: 'the changes since a time', value: { from: '2026-11-20 08:00:00' } } },
};
