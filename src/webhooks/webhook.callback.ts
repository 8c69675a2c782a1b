import { withKeys } from '../platform/translations/translation.js';

const text = (key: string, description: string, more: object = {}) =>
  withKeys('requests', `callback.${key}`, { type: 'string', description, ...more });

const header = (name: string, description: string, example: string) =>
  withKeys('requests', `callback.${name}`, {
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  });

const DATA = {
  type: 'object',
  required: ['type', 'id'],
  properties: {
    type: text('data.type', 'the kind of the record', { example: 'event' }),
    id: withKeys('requests', 'callback.data.id', { type: 'integer', description: 'its id', example: 12 }),
    rest_url: text('data.rest_url', 'its address; absent while PUBLIC_URL is unset', { format: 'uri' }),
    position: withKeys('requests', 'callback.data.position', {
      type: 'integer',
      description:
        'rises with each change: drop what is not higher than the last one of the same record; absent in a test',
      example: 8673,
    }),
    record: withKeys('requests', 'callback.data.record', {
      type: 'object',
      description: 'the record as its list shows it, with the payload record; absent after a deletion',
    }),
    record_omitted: withKeys('requests', 'callback.data.record_omitted', {
      type: 'boolean',
      description: 'true: the record is too large for a message',
    }),
  },
};

const BODY = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: text('type', 'what has happened', { example: 'event.updated' }),
    timestamp: text('timestamp', 'when it happened, in UTC', { format: 'date-time', example: '2026-11-22T23:16:25Z' }),
    data: DATA,
  },
};

/** The message of a webhook as a request to the receiver. OpenAPI 3.0 knows webhooks only as callbacks. */
export const WEBHOOK_CALLBACKS = {
  message: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveMessage',
        tags: ['Webhooks'],
        summary: withKeys('requests', 'callback', 'A message to the receiver'),
        description: withKeys(
          'requests',
          'callback.about',
          'The service sends this request after each change. Verify the signature over `webhook-id`, `webhook-timestamp` and ' +
            'the bytes of the body before anything else (Standard Webhooks).',
        ),
        security: [],
        parameters: [
          header('webhook-id', 'the id of the message, the same in every attempt', 'msg_5f1d2c3b_1_8673'),
          header('webhook-timestamp', 'seconds since 1970 at the attempt', '1795389385'),
          header(
            'webhook-signature',
            'v1 and the signature; for a day after a rotation two of them, the new one first',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: { required: true, content: { 'application/json': { schema: BODY } } },
        responses: withKeys('requests', 'callback.status', {
          '200': { description: 'any 2xx within 15 seconds: the message is delivered' },
          '410': { description: 'the receiver is gone: the webhook is disabled' },
          '4XX': { description: 'anything else: the message comes again later' },
        }),
      },
    },
  },
};
